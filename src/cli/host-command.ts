import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';

/** Not for people: `remit run` and its kin start it, so that work goes on when their terminal closes. */
export function addHostCommand(program: Command): void {
  program.command('host', { hidden: true }).action(async () => {
    // Whoever started it reads one line and goes; later words have no reader, and that must not end the work.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    const abort = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());
    const { runBackgroundHost } = await import('../app/index.ts');
    const sources = { environment: process.env, homeDirectory: homedir() };
    await runBackgroundHost(await text(process.stdin), sources, {
      say: (line) => process.stdout.write(`${line}\n`),
      signal: abort.signal,
    });
    // Nothing is left to do, whatever a library may still hold open.
    process.exit(0);
  });
}

/** This very program as a background host. */
export function hostCommand(): readonly string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'host'];
}
