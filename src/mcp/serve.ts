import { homedir } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };
import { INSTRUCTIONS, OPERATIONS, openHost } from '../app/index.ts';
import { serveProcess } from './serve-process.ts';

export interface ServeOptions {
  /** Directories that the operator gives to clients which state none themselves. */
  readonly roots: string[];
  readonly logLevel?: string;
  readonly stateDir?: string;
}

/**
 * Serves one client on standard input and output until it goes away or a signal comes, then ends this process. The host is
 * opened beside the handshake: if it cannot be, the tools are still listed and each call says why.
 */
export async function serve(options: ServeOptions): Promise<void> {
  await serveProcess({ definitions: OPERATIONS, instructions: INSTRUCTIONS, version: manifest.version }, () =>
    openHost({ flags: { ...options }, environment: process.env, homeDirectory: homedir() }),
  );
}
