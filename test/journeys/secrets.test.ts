/** What a worker and a verification cannot see, and where a credential must never turn up. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

const KEY = 'planted-key-7c1f';

/** A home with credentials, a configuration with a key, and another task's folder: none of it is a worker's business. */
function plant(workshop: Workshop): string[] {
  mkdirSync(join(workshop.home, '.ssh'));
  writeFileSync(join(workshop.home, '.ssh/id_ed25519'), KEY);
  writeFileSync(join(workshop.home, '.netrc'), KEY);
  writeFileSync(join(workshop.stateDirectory, 'other-task'), KEY);
  return [
    join(workshop.home, '.ssh/id_ed25519'),
    join(workshop.home, '.netrc'),
    join(workshop.stateDirectory, 'other-task'),
    workshop.configurationPath,
  ];
}

describe('a worker', () => {
  test('finds neither credentials nor configuration nor state of Remit nor the environment of the host', async () => {
    const workshop = makeWorkshop();
    const places = plant(workshop);
    const look = `for f in ${places.join(' ')} /proc/1/environ /proc/self/environ; do tr "\\0" "\\n" < $f; done > src/found.txt 2>/dev/null; ls ${workshop.stateDirectory} >> src/found.txt; true`;
    workshop.useScript(
      { prompts: [{ steps: [{ do: 'run', argv: ['sh', '-c', look] }] }] },
      { workerEntry: { env: ['NAMED_FOR_THE_WORKER'] } },
    );
    const environment = { ...workshop.environment, HOST_TOKEN: KEY, NAMED_FOR_THE_WORKER: 'given' };
    const supervisor = await workshop.supervisor({ environment });
    const shown = await supervisor.delegate('looks', contract());
    const found = readFileSync(join(shown['worktree'], 'src/found.txt'), 'utf8');
    expect(found).toContain('NAMED_FOR_THE_WORKER=given');
    expect(found).not.toContain(KEY);
    expect(found).not.toContain('scripted-agent.ts');
    expect(found).not.toContain('tasks.sqlite');
  });

  test('has settings of its own kind in the repository hidden, and the review says so', async () => {
    const workshop = makeWorkshop();
    workshop.write('.mcp.json', '{"mcpServers":{}}');
    workshop.git('add', '.');
    workshop.git('commit', '-qm', 'Settings');
    workshop.useScript(
      { prompts: [{ steps: [{ do: 'run', argv: ['sh', '-c', 'wc -c < .mcp.json > src/size.txt'] }] }] },
      { workerEntry: { command: workshop.commandNamed('claude-agent-acp') } },
    );
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('hidden', contract());
    expect(readFileSync(join(shown['worktree'], 'src/size.txt'), 'utf8').trim()).toBe('0');
    expect(shown['risks'].join()).toContain('.mcp.json');
    expect(shown['changed_files']).toEqual(['src/size.txt']);
  });
});

test('a token in a command of the worker, its output and its last words is in no event, log or answer', async () => {
  const token = ['ghp', 'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0UvWxYz'].join('_');
  const workshop = makeWorkshop({
    script: {
      prompts: [
        {
          steps: [
            { do: 'write', path: 'src/x.ts', content: '2\n' },
            { do: 'run', argv: ['echo', token], ask: true },
            { do: 'stderr', text: `TOKEN=${token}\n` },
            { do: 'say', text: `I used ${token}` },
          ],
        },
      ],
    },
  });
  workshop.write('say.sh', `#!/bin/sh\necho ${token.slice(0, 10)}${token.slice(10)}\nexit 1\n`);
  workshop.git('add', '.');
  workshop.git('update-index', '--chmod=+x', 'say.sh');
  workshop.git('commit', '-qm', 'Say');
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('token', contract(provenBy('./say.sh')));
  const error = await supervisor.finalize(shown).catch((caught) => caught);
  expect(error.code).toBe('verification_failed');
  const everything = [
    shown,
    error.error,
    await supervisor.inspect('token', { include: ['events', 'summary', 'verification', 'interactions'] }),
  ];
  expect(JSON.stringify(everything)).not.toContain(token);
  const logs = join(workshop.stateDirectory, 'logs');
  for (const file of readdirSync(logs)) expect(readFileSync(join(logs, file), 'utf8')).not.toContain(token);
});

test('a contract, a review or a message with a token is refused before it is stored', async () => {
  const token = ['ghp', 'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0UvWxYz'].join('_');
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'write', path: 'src/x.ts', content: '2\n' }] }] },
  });
  const supervisor = await workshop.supervisor();
  await expect(supervisor.delegate('told', contract({ objective: `Use ${token}` }))).rejects.toMatchObject({
    code: 'secret_detected',
  });
  const shown = await supervisor.delegate('told', contract());
  for (const given of [{ commit_message: `Use ${token}` }, { review_summary: `Saw ${token}` }]) {
    await expect(supervisor.finalize(shown, given)).rejects.toMatchObject({ code: 'secret_detected' });
  }
  expect(readFileSync(join(workshop.stateDirectory, 'tasks.sqlite')).includes(token)).toBe(false);
});
