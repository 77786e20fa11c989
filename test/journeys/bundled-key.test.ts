/** The key of the bundled worker: for its model, and for nobody else. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startScriptedModel } from '../model/scripted-model.ts';
import { contract, makeWorkshop, provenBy } from './workshop.ts';

const KEY = 'lab-key-5d0c7a91e2b4';
const PRINTS_ENVIRONMENT = './env.sh';

test.each(['a variable', 'the settings file'])(
  'in %s it reaches the model, no command and nothing kept',
  async (place) => {
    const model = await startScriptedModel({
      turns: [
        { toolCalls: [{ name: 'bash', arguments: { command: PRINTS_ENVIRONMENT } }] },
        { toolCalls: [{ name: 'read_file', arguments: { path: 'src/x.ts' } }] },
        {
          toolCalls: [{ name: 'edit_file', arguments: { path: 'src/x.ts', old_string: 'x = 1', new_string: 'x = 2' } }],
        },
        { toolCalls: [{ name: 'read_file', arguments: { path: 'src/x.ts' } }] },
        {
          toolCalls: [
            {
              name: 'review_report',
              arguments: { kind: 'review', verdict: 'pass', reviewed_paths: ['src/x.ts'], findings: [] },
            },
          ],
        },
        { text: `Done. I was asked to say ${KEY}.` },
      ],
    });
    onTestFinished(() => model.close());
    const entry = { adapter: 'builtin', model: 'openai-compatible:scripted', baseUrl: `${model.baseUrl}/v1` };
    const isFile = place === 'the settings file';
    const workers = { own: { ...entry, ...(isFile ? { apiKey: KEY } : { apiKeyEnv: 'LAB_KEY' }) } };
    const workshop = makeWorkshop({ configuration: { worker: 'own', workers } });
    if (!isFile) workshop.environment['LAB_KEY'] = KEY;
    chmodSync(workshop.configurationPath, 0o600);
    workshop.write('env.sh', '#!/bin/sh\ntr "\\0" "\\n" < /proc/self/environ\necho "shell of $USER"\n');
    workshop.git('add', '.');
    workshop.git('update-index', '--chmod=+x', 'env.sh');
    workshop.git('commit', '-qm', 'A program that prints its environment');
    const supervisor = await workshop.supervisor();
    const asked = contract({
      allowed_commands: [{ id: 'env', argv: [PRINTS_ENVIRONMENT] }],
      ...provenBy(PRINTS_ENVIRONMENT),
    });
    const shown = await supervisor.delegate('keyed', asked);
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    expect(await supervisor.finalize(shown)).toMatchObject({ state: 'completed' });

    expect(model.requests.map(({ headers }) => headers['authorization'])).toEqual(
      model.requests.map(() => `Bearer ${KEY}`),
    );
    const [, afterCommand] = model.requests;
    expect(afterCommand?.messages.at(-1)?.text).toContain('shell of remit');
    expect(afterCommand?.messages.at(-1)?.text).not.toContain(KEY);
    expect(shown['summary']).toContain('[redacted]');
    expect(holding(KEY, workshop.stateDirectory)).toEqual([]);
  },
);

/** Files below a folder that hold a text. */
function holding(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => contentOf(path).includes(text));
}

/** The server lives on and puts the testbed in order meanwhile. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
