/** From what a caller sent to a typed input, or one refusal that names everything that is wrong with it. */
import { RemitError } from '../../base/index.ts';
import { contractInputSchema, lintContract, type Problem } from '../../contract/index.ts';
import { denyVerificationCommand } from '../../policy/index.ts';
import { ACTION_FIELDS, type ControlAction, controlInputSchema } from './control.ts';
import { type DelegateInput, delegateInputSchema } from './delegate.ts';
import { type InspectInput, inspectInputSchema } from './inspect.ts';
import { countOf, requestProblems, sentencesOf } from './request-problems.ts';

/** Everything but the contract, whose problems have a code of their own. */
const delegationSchema = delegateInputSchema.omit({ contract: true });

/**
 * Throws `invalid_contract` when the contract has not its shape, with all its problems in details, and `invalid_request`
 * for any other field. What the paths and commands of a well-shaped contract mean is judged later: that needs the caller's folder.
 */
export function parseDelegate(raw: unknown): DelegateInput {
  const { contract, ...rest } = sentFields(raw);
  const contractProblems = shapeProblems(contract);
  const delegation = delegationSchema.safeParse(rest);
  const others = delegation.success ? [] : requestProblems(delegation.error, delegateInputSchema);
  if (contractProblems.length > 0) throw contractRefusal(contractProblems, others);
  if (!delegation.success) throw requestRefusal('reasonix_delegate', others);
  return { ...delegation.data, contract: contractInputSchema.parse(contract) };
}

/** Throws `invalid_request` also for a field that the action needs and lacks, or that belongs to another action. */
export function parseControl(raw: unknown): ControlAction {
  const parsed = controlInputSchema.safeParse(sentFields(raw));
  if (!parsed.success) throw requestRefusal('reasonix_control', requestProblems(parsed.error, controlInputSchema));
  const { task_id: _, action, ...given } = parsed.data;
  const { required, optional } = ACTION_FIELDS[action];
  const own: readonly string[] = [...required, ...optional];
  const missing = required.filter((name) => given[name] === undefined);
  const foreign = Object.keys(given).filter((name) => !own.includes(name));
  const problems = [
    ...missing.map((name) => ({ path: name, message: `is missing: action ${action} needs it` })),
    ...foreign.map((name) => ({ path: name, message: `does not belong to action ${action}`, hint: 'Remove it.' })),
  ];
  if (problems.length > 0) throw requestRefusal('reasonix_control', problems);
  // The two checks above are what the type says; TypeScript cannot see it.
  return parsed.data as ControlAction;
}

export function parseInspect(raw: unknown): InspectInput {
  const parsed = inspectInputSchema.safeParse(sentFields(raw));
  if (!parsed.success) throw requestRefusal('reasonix_inspect', requestProblems(parsed.error, inspectInputSchema));
  return parsed.data;
}

/** Gemini CLI adds `wait_for_previous` to the arguments of every tool and sends it on. */
function sentFields(raw: unknown): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {};
  const { wait_for_previous: _, ...fields } = raw as Record<string, unknown>;
  return fields;
}

/** All problems of a contract that has not its shape; none when only its meaning may be wrong. Bounded for any input. */
function shapeProblems(contract: unknown): readonly Problem[] {
  const lint = lintContract(contract, { denyCommand: denyVerificationCommand });
  if (lint.ok) return [];
  const whole = lint.problems.some(({ path }) => path === '');
  return whole || !contractInputSchema.safeParse(contract).success ? lint.problems : [];
}

/** The refusal of a contract, for every face and operation alike. */
export function contractRefusal(problems: readonly Problem[], others: readonly Problem[] = []): RemitError {
  return new RemitError(
    'invalid_contract',
    `The contract has ${countOf(problems)}. ${sentencesOf(problems, 'contract')}`,
    {
      details: { problems, ...(others.length > 0 && { request_problems: others }) },
    },
  );
}

function requestRefusal(operation: string, problems: readonly Problem[]): RemitError {
  return new RemitError(
    'invalid_request',
    `The call of ${operation} has ${countOf(problems)}. ${sentencesOf(problems, 'arguments')}`,
    {
      details: { problems },
    },
  );
}
