import type { StartOptions } from '../process/index.ts';
import type { CommandOptions, CommandResult } from './command-result.ts';
import type { SandboxProfile } from './profile.ts';

/** What confines, for doctor and for evidence. */
export type SandboxEngine =
  | { readonly kind: 'bubblewrap'; readonly executable: string; readonly version: string }
  /** Asked for, and nothing better works. `warning` is to be shown wherever a result of it is. */
  | { readonly kind: 'unconfined'; readonly warning: string };

/** Everything that `startProcess` or `runProcess` need; use it once. */
export type Launch = StartOptions;

export interface Sandbox {
  readonly engine: SandboxEngine;
  /**
   * For a long-lived program on the standard streams. Throws `sandbox_unavailable` when the profile cannot be enforced: a
   * path that is missing, relative or behind a link. The program has ended when the whole box has. When the program ends at once, ask `launcherFailure` about its stderr.
   */
  launch(profile: SandboxProfile, argv: readonly string[]): Launch;
  /** Runs a program to its end, with empty stdin and no terminal; no process of it is left when this resolves. */
  run(profile: SandboxProfile, argv: readonly string[], options: CommandOptions): Promise<CommandResult>;
}
