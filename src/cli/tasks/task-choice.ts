import type { Desk } from '../../app/index.ts';
import { RemitError, visibleLine } from '../../base/index.ts';
import { nearest } from '../../contract/index.ts';

const MOST_NAMED = 10;

/** The task that a person means: by its whole id, or by a beginning that only one has. */
export async function chooseTask(desk: Desk, given: string): Promise<string> {
  const { tasks } = await desk.list({});
  return matchTaskId(
    given,
    tasks.map(({ task_id }) => task_id),
  );
}

/** Throws `invalid_request` that names the candidates, or `task_not_found` that names the nearest. */
export function matchTaskId(given: string, ids: readonly string[]): string {
  if (ids.includes(given)) return given;
  const [only, ...others] = given === '' ? [] : ids.filter((id) => id.startsWith(given));
  if (only === undefined) throw unknown(given, ids);
  if (others.length === 0) return only;
  const candidates = [only, ...others].sort();
  const more = candidates.length - MOST_NAMED;
  const named = candidates.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  throw new RemitError('invalid_request', `Several tasks begin with ${quote(given)}: ${named}. Write more of its id.`, {
    details: { candidates },
  });
}

function unknown(given: string, ids: readonly string[]): RemitError {
  const meant = nearest(given, ids);
  const advice =
    meant !== undefined
      ? `did you mean ${meant}?`
      : ids.length === 0
        ? 'there is none at all in this state directory.'
        : 'remit task list --all shows them all.';
  return new RemitError('task_not_found', `There is no task ${quote(given)}: ${advice}`, {
    ...(meant !== undefined && { details: { nearest: meant } }),
  });
}

function quote(text: string): string {
  return `"${visibleLine(text)}"`;
}
