/**
 * Runs one outside program by argv. Promises: never a shell; nothing inherited (environment, stdin, file descriptors); a
 * deadline, an abort and a ceiling for output; the program's whole process group is ended, after a normal exit too; how
 * it ended is data, never an exception. Refuses: command strings, relative search-path entries, unbounded anything.
 * It does not confine: that is `sandbox/`, which also reaches processes that leave the group.
 */

export { type CapturedOutput, OutputCapture } from './captured-output.ts';
export { findExecutable, locateExecutable } from './find-executable.ts';
export type { Outcome } from './outcome.ts';
export { isSameProcess, processStartTime } from './process-identity.ts';
export { runInForeground } from './run-in-foreground.ts';
export { type ProcessResult, type RunOptions, runProcess } from './run-process.ts';
export type { ExtraFile } from './spawn-child.ts';
export { type Detached, type DetachedOptions, startDetached } from './start-detached.ts';
export { type RunningProcess, type StartOptions, type StatusReport, startProcess } from './start-process.ts';
