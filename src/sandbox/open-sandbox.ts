import type { Sandbox } from './engine.ts';
import { describeFailure, type LauncherFailure } from './launcher-failure.ts';
import { openLinuxSandbox } from './linux.ts';
import { unconfinedSandbox } from './unconfined-engine.ts';

export interface OpenSandboxOptions {
  /** Answer with an engine that confines nothing where none works. Never preferred to one that works. */
  readonly allowUnsandboxed: boolean;
  /** Where to look for the launcher instead of PATH; relative entries are ignored. */
  readonly searchPath?: string | undefined;
}

export type OpenedSandbox =
  | { readonly kind: 'ready'; readonly sandbox: Sandbox }
  | ({ readonly kind: 'unavailable' } & LauncherFailure);

/** Finds this system's engine and proves with a run of the same flags that it works. Remembers nothing: the caller keeps it. */
export async function openSandbox(options: OpenSandboxOptions): Promise<OpenedSandbox> {
  const opened = await openEngine(options.searchPath);
  if (opened.kind === 'ready' || !options.allowUnsandboxed) return opened;
  return { kind: 'ready', sandbox: unconfinedSandbox(`No sandbox works here: ${opened.reason}`) };
}

/** One file for each system. macOS (sandbox-exec) has none yet, and a half-confined worker would be worse than none. */
async function openEngine(searchPath: string | undefined): Promise<OpenedSandbox> {
  if (process.platform === 'linux') return openLinuxSandbox(searchPath);
  const reason = `Remit has no sandbox for this system (${process.platform}) yet.`;
  return { kind: 'unavailable', ...describeFailure('unsupported_system', reason) };
}
