/**
 * Confinement: a described profile in, a runnable argv out, and a probe that proves it works on this machine. Promises: a
 * program in the box writes only to the listed paths, sees none of the hidden ones, none of the host's processes and
 * environment, and leaves no process behind; `network: 'none'` means its own loopback and nothing else; a launcher that
 * fails is never mistaken for a program that fails. Refuses: to run unconfined unless that was asked for and nothing else works.
 * Who decides what a profile holds lives above; here is only how it is enforced.
 */

export type { CommandOptions, CommandOutcome, CommandResult } from './command-result.ts';
export type { Launch, Sandbox, SandboxEngine } from './engine.ts';
export { type LauncherFailure, launcherFailure } from './launcher-failure.ts';
export { type OpenedSandbox, openSandbox } from './open-sandbox.ts';
export type { SandboxProfile } from './profile.ts';
export { mayPass, verificationEnvironment } from './verification-environment.ts';
