import { z } from 'zod';
import { commandResultSchema, META } from '../../protocol/index.ts';
import { type HostClient, metaOf, refusalOf } from '../host-client.ts';
import type { CommandEnd, CommandLimits, PlaceCommands } from './place.ts';

const createdSchema = z.object({ terminalId: z.string() });

/** Commands that the host runs in a box of its own, where this process and its key cannot be reached. */
export function hostCommands(host: HostClient, root: string): PlaceCommands {
  return {
    kind: 'offered',
    async run(argv, cwd, limits) {
      try {
        return await runThere(host, argv, cwd === '' ? root : `${root}/${cwd}`, limits);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        return { kind: 'refused', reason: `${refusal}.` };
      }
    },
  };
}

async function runThere(
  host: HostClient,
  argv: readonly string[],
  cwd: string,
  { timeoutMs, maxOutputBytes, signal }: CommandLimits,
): Promise<CommandEnd> {
  const { sessionId } = host;
  const [command, ...args] = argv;
  const meta = { [META]: { timeout_ms: Math.max(1000, timeoutMs) } };
  const created = await host.request('terminal/create', {
    ...{ sessionId, command, args, cwd, outputByteLimit: maxOutputBytes, _meta: meta },
  });
  const { terminalId } = createdSchema.parse(created);
  const kill = () => void host.request('terminal/kill', { sessionId, terminalId }).catch(() => {});
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  try {
    await host.request('terminal/wait_for_exit', { sessionId, terminalId });
    const answer = await host.request('terminal/output', { sessionId, terminalId });
    const { exit_code, how, stdout, stderr, touched } = commandResultSchema.parse(metaOf(answer));
    return {
      kind: 'ended',
      exitCode: exit_code,
      ...(how !== undefined && { how }),
      stdout: { text: stdout.text, totalBytes: stdout.total_bytes, truncated: stdout.truncated },
      stderr: { text: stderr.text, totalBytes: stderr.total_bytes, truncated: stderr.truncated },
      touched,
    };
  } finally {
    signal?.removeEventListener('abort', kill);
    await host.request('terminal/release', { sessionId, terminalId }).catch(() => {});
  }
}
