/**
 * The face for a person at a shell, and the program's entry. It parses the command line, calls one operation and renders.
 * Promises: answers on standard output, everything else on standard error; every command has --help with an example; the exit
 * code says how it ended (exit-codes.ts); starts fast, since a command loads its rooms only when it runs.
 * Refuses: to decide anything itself.
 */
import { run } from './run.ts';

// Not process.exit: standard output may still be draining into a pipe.
process.exitCode = await run(process.argv.slice(2));
