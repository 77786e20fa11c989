/** The completion scripts in their own shells, for real. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findExecutable } from '../../src/process/index.ts';
import { contract, makeWorkshop, type Workshop } from '../journeys/workshop.ts';
import { remit } from './shell.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const TIMEOUT = { timeout: 240_000 };
const PATH = process.env['PATH'] ?? '';

/** A workshop with the tasks greet-one, greet-two and other, and an environment whose PATH has `remit`. */
async function withTasks(): Promise<{ workshop: Workshop; environment: Record<string, string> }> {
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' }] }] },
  });
  const supervisor = await workshop.supervisor();
  await supervisor.delegate('greet-one', contract());
  await supervisor.delegate('greet-two', contract({ write_scope: ['lib/**'] }));
  await supervisor.delegate('other', contract({ write_scope: ['doc/**'] }));
  await supervisor.close();
  const programs = join(workshop.directory, 'programs');
  mkdirSync(programs);
  const program = join(programs, 'remit');
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${MAIN}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  const environment = {
    ...workshop.environment,
    PATH: `${programs}:${PATH}`,
  };
  return { workshop, environment };
}

/** What a line is completed to: the words before the cursor, the last one begun. */
const LINES: readonly (readonly [words: string, offered: readonly string[]])[] = [
  ['ta', ['task']],
  ['task st', ['steer']],
  ['task cl', ['close']],
  ['task show ', ['greet-one', 'greet-two', 'other']],
  ['task show gr', ['greet-one', 'greet-two']],
  ['task finalize --re', ['--revision']],
  ['task finalize --revision 1 ot', ['other']],
  ['task finalize --revision ', []],
  ['task watch --until ', ['needed', 'over']],
  ['task watch --until over gre', ['greet-one', 'greet-two']],
  ['task attach oth', ['other']],
  ['serve --log-level deb', ['debug']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['mcp install clau', ['claude']],
  ['contract ', ['lint', 'new', 'schema']],
  ['list-task', []],
  ['nonsense show gr', []],
];

describe('bash', () => {
  test('offers commands, options, values and tasks, each where it belongs', TIMEOUT, async () => {
    const { workshop, environment } = await withTasks();
    const ask = `
      eval "$(remit completion bash)"
      complete -p remit >&2
      for line in "$@"; do
        IFS=" " read -ra COMP_WORDS <<<"remit $line"
        case $line in *" ") COMP_WORDS+=("");; esac
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
        _remit
        echo "$(printf "%s\\n" "\${COMPREPLY[@]}" | sort | paste -sd" ")"
      done`;
    const words = LINES.map(([line]) => line);
    const { stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile', '-c', ask, 'bash', ...words], {
      cwd: workshop.repository,
      env: environment,
      encoding: 'utf8',
    });
    expect(stderr).toBe('complete -F _remit remit\n');
    expect(stdout.split('\n').slice(0, -1)).toEqual(LINES.map(([, offered]) => offered.join(' ')));
  });

  test('completes what is typed at its own prompt, and --option=value', TIMEOUT, async () => {
    const { workshop, environment } = await withTasks();
    const typed = 'remit task show --ev\toth\t\nremit task watch --until=need\tgreet-o\t >/dev/null\nexit\n';
    const { stdout } = spawnSync('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], {
      cwd: workshop.repository,
      env: { ...environment, TERM: 'dumb', PS1: '$ ', SHELL: '/bin/bash' },
      input: `eval "$(remit completion bash)"\n${typed}`,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(stripVTControlCharacters(stdout)).toContain('remit task show --evidence other ');
    expect(stripVTControlCharacters(stdout)).toContain('remit task watch --until=needed greet-one ');
  });
});

/** Where the shell is not installed its script is not tried, and the test says so. */
async function shell(name: string): Promise<string | undefined> {
  return process.env[`REMIT_TEST_${name.toUpperCase()}`] ?? (await findExecutable(name, PATH));
}

const fish = await shell('fish');
const zsh = await shell('zsh');

describe.skipIf(fish === undefined)(`fish${fish === undefined ? ', which is not installed' : ''}`, () => {
  test('offers commands, options, values and tasks, each where it belongs', TIMEOUT, async () => {
    const { workshop, environment } = await withTasks();
    const ask =
      'remit completion fish | source; for line in $argv; complete -C "remit $line" | string replace -r "\\t.*" "" | sort | string join " "; echo; end';
    const { stdout, stderr } = spawnSync(fish ?? '', ['--no-config', '-c', ask, ...LINES.map(([line]) => line)], {
      cwd: workshop.repository,
      env: environment,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toBe(
      LINES.map(([, offered]) => `${offered.length === 0 ? '' : `${offered.join(' ')}\n`}\n`).join(''),
    );
  });
});

describe.skipIf(zsh === undefined)(`zsh${zsh === undefined ? ', which is not installed' : ''}`, () => {
  test('completes what is typed at its own prompt', TIMEOUT, async () => {
    const { workshop, environment } = await withTasks();
    const { stdout } = spawnSync('script', ['-qec', `${zsh} -f -i`, '/dev/null'], {
      cwd: workshop.repository,
      env: { ...environment, TERM: 'dumb', PS1: '$ ' },
      input: 'eval "$(remit completion zsh)"\nremit task show --ev\toth\t\nexit\n',
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(stripVTControlCharacters(stdout)).toContain('remit task show --evidence other ');
  });
});

test('ids come from the store alone: where there is none, none is made', TIMEOUT, async () => {
  const { workshop } = await withTasks();
  const listed = await remit(workshop, ['list-task-ids']);
  expect(listed.out).toBe('other\tpaused\ngreet-two\tpaused\ngreet-one\treview_required\n');
  const elsewhere = { environment: { REMIT_CONFIG: '/dev/null', XDG_STATE_HOME: join(workshop.directory, 'none') } };
  expect(await remit(workshop, ['list-task-ids'], elsewhere)).toMatchObject({ out: '' });
  expect(existsSync(elsewhere.environment.XDG_STATE_HOME)).toBe(false);
});
