import { z } from 'zod';
import { changesOf } from './changes.ts';
import type { Frozen } from './frozen.ts';
import type { Observation } from './observation.ts';
import { sightsOf } from './read-evidence.ts';
import { repositoryPath } from './repository-path.ts';
import { commandLine, readCall, type ToolCall } from './tool-calls.ts';

const stepEvidenceSchema = z.strictObject({
  kind: z
    .enum(['verification', 'diff', 'files', 'manual'])
    .describe(
      'verification: a command passed; diff: files were written; files: files were read or written; manual: neither.',
    ),
  summary: z.string().min(1).max(2000).describe('What this shows.'),
  command: z
    .string()
    .max(32_768)
    .optional()
    .describe('For verification: the command line that passed after the latest write.'),
  paths: z.array(z.string().min(1).max(4096)).max(1000).optional().describe('For diff and files: the paths.'),
});

/** What `complete_step` takes. */
export const completeStepSchema = z.strictObject({
  step: z.string().min(1).max(2000).describe('The todo that is done: its text or number.'),
  result: z.string().min(1).max(8000).describe('What came of it.'),
  evidence: z.array(stepEvidenceSchema).min(1).max(100).describe('What shows that it is done; at least one.'),
  notes: z.string().max(8000).optional().describe('Anything else worth knowing.'),
});

export type CompleteStep = Frozen<z.infer<typeof completeStepSchema>>;
type StepEvidence = CompleteStep['evidence'][number];

export interface StepProblem {
  /** The field at fault, for example `evidence[0].paths`. */
  readonly field: string;
  readonly message: string;
  /** The call that would supply what is missing, where one does. */
  readonly call?: ToolCall | undefined;
}

export type StepVerdict =
  /** `unverified` counts the evidence that is only the worker's word. */
  | { readonly kind: 'accepted'; readonly unverified: number }
  | { readonly kind: 'refused'; readonly problems: readonly StepProblem[] };

/** Judges a step by the ledger before it; `worktree` is the absolute path of the worktree. */
export function judgeCompleteStep(step: CompleteStep, ledger: readonly Observation[], worktree?: string): StepVerdict {
  const problems = step.evidence.flatMap((evidence, at) => problemsOf(evidence, `evidence[${at}]`, ledger, worktree));
  if (problems.length > 0) return { kind: 'refused', problems };
  return { kind: 'accepted', unverified: step.evidence.filter(({ kind }) => kind === 'manual').length };
}

function problemsOf(
  evidence: StepEvidence,
  field: string,
  ledger: readonly Observation[],
  worktree: string | undefined,
): StepProblem[] {
  if (evidence.kind === 'manual') return [];
  if (evidence.kind === 'verification') return verificationProblems(evidence.command, `${field}.command`, ledger);
  const paths = evidence.paths ?? [];
  if (paths.length === 0)
    return [{ field: `${field}.paths`, message: `evidence of kind ${evidence.kind} names its paths` }];
  const seen = evidence.kind === 'files' ? sightsOf(ledger, worktree) : new Map();
  return paths.flatMap((written, at) => {
    const place = `${field}.paths[${at}]`;
    const path = repositoryPath(written, { worktree });
    if (path === undefined || path === '')
      return [{ field: place, message: `${written} is no file of the repository` }];
    if (wasWritten(path, ledger)) return [];
    if (evidence.kind === 'diff')
      return [{ field: place, message: `${path} was not written, so there is no diff of it` }];
    if (seen.has(path)) return [];
    return [{ field: place, message: `${path} was neither read nor written`, call: readCall(path) }];
  });
}

function wasWritten(path: string, ledger: readonly Observation[]): boolean {
  return ledger.some((observation) => observation.kind === 'write' && observation.path === path);
}

function verificationProblems(
  command: string | undefined,
  field: string,
  ledger: readonly Observation[],
): StepProblem[] {
  if (command === undefined) return [{ field, message: 'evidence of kind verification names the command that passed' }];
  const runs = ledger
    .slice(changesOf(ledger).last + 1)
    .filter((observation) => observation.kind === 'command')
    .filter(({ argv }) => unquoted(commandLine(argv)) === unquoted(command));
  const last = runs.at(-1);
  if (last?.exit_code === 0) return [];
  const message = last === undefined ? 'has not run since the latest write' : 'did not pass when it last ran';
  return [{ field, message: `${command} ${message}`, call: { tool: 'bash', arguments: { command } } }];
}

/** A worker may quote otherwise than the recorder; only a command that did run can match, so nothing is won by it. */
function unquoted(command: string): string {
  return command
    .replace(/['"\\]/g, '')
    .trim()
    .replace(/\s+/g, ' ');
}
