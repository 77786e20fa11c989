/** What a worker finds when it starts, and what its supervisor is told when it does not. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findExecutable } from '../../src/process/index.ts';
import { contract, makeWorkshop } from './workshop.ts';

describe('a worker', () => {
  test('sees and changes the folder of agent settings that its scope is about, and no others', async () => {
    const workshop = makeWorkshop();
    workshop.write('.claude/commands/a.md', 'one\n');
    workshop.write('.claude/settings.json', '{"hooks":{}}');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Settings');
    const look = 'wc -c < .claude/settings.json > .claude/commands/size.txt; echo two >> .claude/commands/a.md';
    const script = { prompts: [{ steps: [{ do: 'run' as const, argv: ['sh', '-c', look] }] }] };
    workshop.useScript(script, { workerEntry: { command: workshop.commandNamed('claude-agent-acp') } });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('settings', contract({ write_scope: ['.claude/commands/**'] }));
    expect(shown['changed_files']).toEqual(['.claude/commands/a.md', '.claude/commands/size.txt']);
    expect(readFileSync(join(shown['worktree'], '.claude/commands/size.txt'), 'utf8').trim()).toBe('0');
    expect(shown['risks']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Agent settings of the repository were hidden from the worker: .*\.claude\/settings\.json/,
        ),
        expect.stringMatching(/^The write scope reaches into agent settings.*: .*\.claude/),
      ]),
    );
  });

  test('works where the state directory and the repository lie below a linked folder', async () => {
    const workshop = makeWorkshop();
    const script = { prompts: [{ steps: [{ do: 'write' as const, path: 'src/x.ts', content: 'linked\n' }] }] };
    const linked = join(workshop.directory, 'linked');
    symlinkSync('.', linked);
    workshop.useScript(script, { configuration: { stateDir: join(linked, 'state') } });
    const supervisor = await workshop.supervisor({ root: join(linked, 'project') });
    expect(await supervisor.delegate('linked', contract())).toMatchObject({
      state: 'review_required',
      changed_files: ['src/x.ts'],
    });
  });
});

describe('a worker that does not start', () => {
  test('because its sandbox fails is told as that, with what an operator can do', async () => {
    const workshop = makeWorkshop();
    const bin = join(workshop.directory, 'bin');
    mkdirSync(bin);
    // The probe succeeds; what runs in a worktree does not.
    const script = [
      '#!/bin/sh',
      `if tr '\\0' '\\n' < /proc/self/fd/3 | grep -q /worktrees/`,
      'then echo "bwrap: setting up uid map: Permission denied" >&2; exit 1; fi',
      `exec ${findExecutable('bwrap')} "$@"`,
    ];
    writeFileSync(join(bin, 'bwrap'), script.join('\n'));
    chmodSync(join(bin, 'bwrap'), 0o755);
    const environment = { ...workshop.environment, PATH: `${bin}:${workshop.environment['PATH']}` };
    const supervisor = await workshop.supervisor({ environment });
    await expect(supervisor.delegate('boxed', contract())).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringMatching(/uid map[\s\S]*apparmor/i),
    });
  });

  test('names the login that could not be copied into its private home', async () => {
    const workshop = makeWorkshop();
    mkdirSync(join(workshop.home, '.codex'));
    writeFileSync(join(workshop.directory, 'auth.json'), '{}');
    symlinkSync(join(workshop.directory, 'auth.json'), join(workshop.home, '.codex/auth.json'));
    const script = { prompts: [{ steps: [] }], newSession: 'never' as const };
    workshop.useScript(script, { workerEntry: { command: workshop.commandNamed('codex-acp') } });
    const supervisor = await workshop.supervisor();
    await expect(supervisor.delegate('login', contract())).rejects.toMatchObject({
      code: 'worker_unavailable',
      message: expect.stringContaining('.codex/auth.json'),
    });
  });
});

test('a variable that makes a loader run something is refused before any worker starts', async () => {
  const workshop = makeWorkshop({ workerEntry: { env: ['LD_PRELOAD'] } });
  await expect(workshop.supervisor().then((supervisor) => supervisor.delegate('env', contract()))).rejects.toThrow(
    /workers\.scripted\.env\[0\]/,
  );
});
