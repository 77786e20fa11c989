/** The calls that scenarios are made of, all about one task. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../../test/agents/script.ts';
import { contract } from '../../test/journeys/workshop.ts';
import type { Answer, Call } from './conversation.ts';

const GO_ON = 'go-on';

/** A worker's step: it waits until the scenario lets it go on. */
export const HELD: Step = { do: 'wait_for', path: GO_ON };

const TASK = { task_id: 'set-x' };

type Fields = Record<string, unknown>;

/** Every call about a task gives its contract again; `more` may depend on what was answered before. */
export function delegate(more: Fields | ((answers: readonly Answer[]) => Fields) = { wait_timeout_seconds: 30 }): Call {
  const fields = typeof more === 'function' ? more : () => more;
  return { tool: 'reasonix_delegate', arguments: (answers) => ({ ...TASK, contract: contract(), ...fields(answers) }) };
}

export function inspect(more: Fields): Call {
  return { tool: 'reasonix_inspect', arguments: () => ({ ...TASK, ...more }) };
}

export function control(action: string, from: (answers: readonly Answer[]) => Fields = () => ({})): Call {
  return { tool: 'reasonix_control', arguments: (answers) => ({ ...TASK, action, ...from(answers) }) };
}

/** Approves the last review bundle. */
export const FINALIZE = control('finalize', (answers) => {
  const shown = answers.findLast((answer) => answer['review_tree_hash'] !== undefined) ?? {};
  return {
    review_summary: 'Read and approved',
    approved_review_criteria: shown['required_review_criteria'],
    expected_review_revision: shown['review_revision'],
    expected_review_tree_hash: shown['review_tree_hash'],
  };
});

/** The call lets a worker that performs `HELD` go on; its worktree is where the last answer says that it is. */
export function letGoOn(call: Call): Call {
  return {
    ...call,
    arguments(answers) {
      const last = answers.at(-1) ?? {};
      writeFileSync(join(last['worktree'] ?? last['sections'].status.worktree, GO_ON), '');
      return call.arguments(answers);
    },
  };
}
