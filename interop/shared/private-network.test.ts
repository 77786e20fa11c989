import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../../src/process/index.ts';
import { makeWorkshop } from '../../test/journeys/workshop.ts';
import { MODEL_BASE_URL, noPrivateNetwork, openPrivateNetwork } from './private-network.ts';

const ASK = 'fetch(process.argv[1]).then((answer) => answer.text()).then(console.log, () => console.log("nobody"))';

async function listening(answer: string): Promise<string> {
  const server = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(noPrivateNetwork !== undefined)(noPrivateNetwork ?? 'a private network', () => {
  test('a program inside reaches the model and nobody else on this machine or beyond', async () => {
    const { directory } = makeWorkshop();
    const [model, other] = [await listening('the model'), await listening('another server')];
    await using network = await openPrivateNetwork(join(directory, 'model.sock'), model);
    const answers = [];
    for (const url of [MODEL_BASE_URL, other, model, 'http://192.0.2.1/']) {
      const argv = network.inside([process.execPath, '-e', ASK, url]);
      const { stdout } = await runProcess({
        argv,
        cwd: directory,
        env: { PATH: process.env['PATH'] ?? '' },
        timeoutMs: 20_000,
        maxOutputBytes: 1000,
      });
      answers.push(stdout.bytes.toString().trim());
    }
    expect(answers).toEqual(['the model', 'nobody', 'nobody', 'nobody']);
  });

  test('a program inside ends as it ends outside', async () => {
    const { directory } = makeWorkshop();
    await using network = await openPrivateNetwork(join(directory, 'model.sock'), await listening(''));
    const argv = network.inside([process.execPath, '-e', 'process.exit(55)']);
    const { outcome } = await runProcess({
      argv,
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '' },
      timeoutMs: 20_000,
      maxOutputBytes: 1000,
    });
    expect(outcome).toEqual({ kind: 'exited', exitCode: 55 });
  });
});
