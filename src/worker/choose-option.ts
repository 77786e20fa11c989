import { z } from 'zod';
import type { WorkerAnswer } from './options.ts';

/** An option of a permission request. Agents name them as they like: what counts is the kind. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** What goes back to the agent. */
export type PermissionOutcome =
  | { readonly outcome: 'selected'; readonly optionId: string }
  | { readonly outcome: 'cancelled' };

const CANCELLED: PermissionOutcome = { outcome: 'cancelled' };

const requestSchema = z.object({
  sessionId: z.string(),
  toolCall: z.looseObject({ toolCallId: z.string().max(512) }),
  options: z
    .array(
      z
        .object({ optionId: z.string().max(512), name: z.string().catch(''), kind: z.string().catch('') })
        .nullable()
        .catch(null),
    )
    .max(64)
    .catch([]),
});

export interface PermissionRequest {
  readonly sessionId: string;
  readonly toolCall: { readonly toolCallId: string; readonly [key: string]: unknown };
  readonly options: readonly PermissionOption[];
}

/** Reads `session/request_permission`; `undefined` when it names no session or tool call. */
export function readPermissionRequest(params: unknown): PermissionRequest | undefined {
  const parsed = requestSchema.safeParse(params);
  if (!parsed.success) return undefined;
  return { ...parsed.data, options: parsed.data.options.filter((option) => option !== null) };
}

/** Permission for this once. A lasting one is never given: it would lift asking, or write settings into the worktree. */
export function allowOnce(options: readonly PermissionOption[]): PermissionOutcome {
  return select(options.find((option) => option.kind === 'allow_once'));
}

/** A refusal for this once; agents that offer none understand `cancelled`. */
export function rejectOnce(options: readonly PermissionOption[]): PermissionOutcome {
  return select(options.find((option) => option.kind === 'reject_once'));
}

/** The supervisor's answer to a permission request. */
export function permissionAnswer(options: readonly PermissionOption[], answer: WorkerAnswer): PermissionOutcome {
  switch (answer.kind) {
    case 'allow':
      return allowOnce(options);
    case 'option': {
      const chosen = options.find((option) => option.optionId === answer.optionId);
      return chosen?.kind === 'allow_once' ? select(chosen) : rejectOnce(options);
    }
    case 'cancelled':
      return CANCELLED;
    case 'deny':
    case 'text':
      return rejectOnce(options);
  }
}

/**
 * The supervisor's answer to an agent's question. A text that is no option's name is not lost: it comes back as
 * `unsaid`, for the caller to tell the agent by other means.
 */
export function questionAnswer(
  options: readonly PermissionOption[],
  answer: WorkerAnswer,
): { outcome: PermissionOutcome; unsaid?: string } {
  const answers = options.filter((option) => option.kind === 'allow_once');
  switch (answer.kind) {
    case 'option':
      return { outcome: select(options.find((option) => option.optionId === answer.optionId)) };
    case 'allow':
      return { outcome: answers.length === 1 ? select(answers[0]) : rejectOnce(options) };
    case 'deny':
      return { outcome: rejectOnce(options) };
    case 'cancelled':
      return { outcome: CANCELLED };
    case 'text': {
      const chosen = answers.find((option) => sameWords(option.name, answer.text) || option.optionId === answer.text);
      return chosen ? { outcome: select(chosen) } : { outcome: rejectOnce(options), unsaid: answer.text };
    }
  }
}

function sameWords(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function select(option: PermissionOption | undefined): PermissionOutcome {
  return option === undefined ? CANCELLED : { outcome: 'selected', optionId: option.optionId };
}
