import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { RemitError, visibleLine, visibleText } from '../base/index.ts';
import { type Installation, type InstallRequest, installServer, requireServerName } from './clients/install.ts';
import { ownProgram } from './clients/own-program.ts';
import { CLIENTS } from './clients/table.ts';
import { print } from './print.ts';
import { jsonText } from './render/json-text.ts';
import { shellWords } from './shell-words.ts';
import { type Style, styleFor } from './terminal.ts';

/** Registers this program with one client, or shows what would be written. */
export function installClient(request: InstallRequest, { json }: { json: boolean }): void {
  requireServerName(request.name);
  const place = { environment: process.env, home: requireHome(), platform: process.platform };
  const installation = installServer(request, ownProgram(process.env['PATH'] ?? ''), place);
  print(json ? jsonText(installation, 2) : forPeople(installation, styleFor(process.stdout, process.env)));
}

function requireHome(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  throw new RemitError('invalid_request', 'HOME must be an absolute path');
}

function forPeople(installation: Installation, style: Style): string {
  const { diff, command, notes } = installation;
  const { title } = CLIENTS[installation.client];
  const parts = [
    headline(installation, style),
    ...(diff === '' ? [] : [colouredDiff(diff, style)]),
    ...(installation.change !== 'none' && !installation.applied
      ? ['Nothing is written yet: run it again with --apply.']
      : []),
    ...(command === null || installation.applied || installation.change === 'none'
      ? []
      : [`Or by its own command:\n  ${visibleLine(shellWords(command))}`]),
    `About ${title}:\n${notes.map((note) => `  - ${visibleLine(note)}`).join('\n')}`,
    ...(installation.applied
      ? [`Next: open ${title} in a repository, and say: "Delegate the contract in task.jsonc to Remit."`]
      : []),
  ];
  return parts.join('\n\n');
}

function headline({ client, name, file, change, applied }: Installation, style: Style): string {
  const what = {
    none: `already has "${name}" just so in`,
    add: `${applied ? 'now has' : 'would get'} "${name}" in`,
    replace: `${applied ? 'now has another' : 'would get another'} "${name}" in`,
  }[change];
  return `${style('bold', CLIENTS[client].title)} ${what} ${visibleLine(file)}`;
}

function colouredDiff(diff: string, style: Style): string {
  const coloured = visibleText(diff)
    .split('\n')
    .map((line) => {
      if (line.startsWith('+')) return style('green', line);
      return line.startsWith('-') ? style('red', line) : style('dim', line);
    });
  return coloured.join('\n');
}
