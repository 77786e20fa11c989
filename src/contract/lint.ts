import { RemitError, sha256 } from '../base/index.ts';
import { canonicalContract } from './canonical.ts';
import type { DenyCommand } from './command-problems.ts';
import {
  type ContractInput,
  contractInputSchema,
  DEFAULT_TIMEOUT_SECONDS,
  type TaskContractV1,
} from './contract-schema.ts';
import { leastJsonBytes, sizeProblem } from './contract-size.ts';
import { type Draft, readDraft } from './draft.ts';
import { meaningProblems, values } from './meaning-problems.ts';
import { boundedProblems, type Problem } from './problem.ts';
import { schemaProblems } from './schema-problems.ts';
import { textProblems } from './text-problems.ts';

export interface LintOptions {
  /** The caller's folder inside the repository, to which the contract's paths are relative; '' (default) is its root. */
  readonly prefix?: string;
  /** Policy's reason why the host may not run a verification command. */
  readonly denyCommand?: DenyCommand;
}

export type LintResult =
  | { readonly ok: true; readonly contract: TaskContractV1; readonly hash: string; readonly canonical: string }
  | { readonly ok: false; readonly problems: Problem[] };

/**
 * Judges what a supervisor wrote: either the normalised contract with its hash, or every problem at once (at most a
 * hundred). Never throws, whatever the input. An input over 1 MiB is refused unread.
 */
export function lintContract(input: unknown, options: LintOptions = {}): LintResult {
  const oversize = sizeProblem(leastJsonBytes(input));
  if (oversize) return { ok: false, problems: [oversize] };

  const parsed = contractInputSchema.safeParse(input);
  const { draft, problems: pathProblems } = readDraft(input, options.prefix ?? '');
  const problems = [
    ...(parsed.success ? [] : schemaProblems(parsed.error, input)),
    ...textProblems(input),
    ...pathProblems,
    ...meaningProblems(draft, input, options.denyCommand),
  ];
  if (!parsed.success || problems.length > 0) return { ok: false, problems: boundedProblems(problems) };

  return sealed(withDefaults({ ...parsed.data, ...listsOf(draft) }));
}

function sealed(contract: TaskContractV1): LintResult {
  const canonical = canonicalContract(contract);
  const oversize = sizeProblem(Buffer.byteLength(canonical));
  if (oversize) return { ok: false, problems: [oversize] };
  return { ok: true, contract, canonical, hash: sha256(canonical) };
}

/**
 * Reads a canonical contract back. Only its shape is checked: what was accepted once stays readable when lint grows
 * stricter. Throws `internal_error` for a text that is no contract.
 */
export function parseStoredContract(canonical: string): TaskContractV1 {
  try {
    return withDefaults(contractInputSchema.parse(JSON.parse(canonical)));
  } catch (cause) {
    throw new RemitError('internal_error', 'the stored contract cannot be read; the task store is damaged', { cause });
  }
}

function listsOf(draft: Draft) {
  return {
    verified_context: values(draft.verified_context),
    write_scope: values(draft.write_scope),
    forbidden_scope: values(draft.forbidden_scope),
    verification: values(draft.verification),
    allowed_commands: values(draft.allowed_commands),
    file_assertions: values(draft.file_assertions),
  };
}

function withDefaults(input: ContractInput): TaskContractV1 {
  return {
    ...input,
    verification: input.verification.map((each) => command(each, DEFAULT_TIMEOUT_SECONDS.verification)),
    allowed_commands: (input.allowed_commands ?? []).map((each) =>
      command(each, DEFAULT_TIMEOUT_SECONDS.allowed_commands),
    ),
    file_assertions: input.file_assertions ?? [],
  };
}

function command<T extends { cwd?: string | undefined; timeout_seconds?: number | undefined }>(
  each: T,
  defaultSeconds: number,
) {
  return { ...each, cwd: each.cwd ?? '.', timeout_seconds: each.timeout_seconds ?? defaultSeconds };
}
