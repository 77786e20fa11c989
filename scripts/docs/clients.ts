/** Each client with the entry that `remit mcp install` writes for it, from the same table. */
import type { Client } from '../../src/cli/clients/client.ts';
import { entryText } from '../../src/cli/clients/edit.ts';
import { CLIENT_NAMES, type ClientName } from '../../src/cli/clients/names.ts';
import { CLIENTS } from '../../src/cli/clients/table.ts';
import { shellWords } from '../../src/cli/shell-words.ts';

const NAME = 'remit';
const COMMAND = '/path/to/remit';
const ROOTS = ['--root', '/path/to/repository'];

export function clientSections(): string {
  return CLIENT_NAMES.map((client) => section(client, CLIENTS[client])).join('\n\n');
}

function section(id: ClientName, client: Client): string {
  const roots = client.tellsDirectory ? [] : ROOTS;
  const entry = client.entry({ command: COMMAND, args: ['serve', ...roots] });
  const own = client.ownCommand?.(NAME, entry);
  return [
    `## ${client.title}`,
    client.tried === undefined
      ? 'Not tried with Remit: what stands here is from its documentation.'
      : `Tried with version ${client.tried}.`,
    `In ${client.shownFile}:`,
    fenced(client.syntax === 'toml' ? 'toml' : 'json', entryText(client.syntax, [client.servers, NAME], entry)),
    fenced('sh', shellWords(['remit', 'mcp', 'install', id, ...roots, '--apply'])),
    ...(own === undefined ? [] : ['Its own command for it:', fenced('sh', shellWords(own))]),
    client
      .notes(NAME)
      .map((note) => `- ${note}`)
      .join('\n'),
  ].join('\n\n');
}

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
