/**
 * A network namespace per program: it holds a loopback device and, on one port of it, the scripted model. So whatever
 * a program would like to report, update or look up, there is nobody to talk to.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const ENTER = fileURLToPath(new URL('./enter-loopback.ts', import.meta.url));

/** Where the model answers, inside. */
const PORT = 18_080;
export const MODEL_BASE_URL = `http://127.0.0.1:${PORT}`;

/** Root keeps its capabilities, since a sandbox inside needs them; anybody else gets a user namespace. */
const BUBBLEWRAP = [
  'bwrap',
  '--unshare-net',
  ...(process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : []),
  ...['--die-with-parent', '--dev-bind', '/', '/', '--'],
];

/** Why there is no such namespace here, as a sentence; nothing when there is. */
export const noPrivateNetwork: string | undefined = whyNot();

function whyNot(): string | undefined {
  const [program = '', ...options] = BUBBLEWRAP;
  const trial = spawnSync(program, [...options, 'true'], { encoding: 'utf8' });
  if (trial.status === 0) return undefined;
  return `cannot run without a network namespace of its own: ${trial.error?.message ?? trial.stderr.trim()}`;
}

export interface PrivateNetwork extends AsyncDisposable {
  /** The argv that runs a program inside. */
  inside(argv: readonly string[]): string[];
}

/** `socket` is a path for a Unix socket (at most 107 bytes), through which the model at `modelBaseUrl` is reached. */
export async function openPrivateNetwork(socket: string, modelBaseUrl: string): Promise<PrivateNetwork> {
  const model = Number(new URL(modelBaseUrl).port);
  const open = new Set<{ destroy(): void }>();
  const relay = createServer((incoming) => {
    const outgoing = connect(model, '127.0.0.1');
    for (const end of [incoming, outgoing]) {
      open.add(end);
      end.on('error', () => {
        incoming.destroy();
        outgoing.destroy();
      });
      end.on('close', () => open.delete(end));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve, reject) => {
    relay.once('error', reject);
    relay.listen(socket, resolve);
  });
  return {
    inside: (argv) => [
      ...BUBBLEWRAP,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      ENTER,
      socket,
      String(PORT),
      ...argv,
    ],
    async [Symbol.asyncDispose]() {
      for (const end of open) end.destroy();
      await new Promise((resolve) => relay.close(resolve));
      rmSync(socket, { force: true });
    },
  };
}
