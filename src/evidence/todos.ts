import { z } from 'zod';
import type { Observation } from './observation.ts';

export const todoSchema = z.strictObject({
  id: z.string().min(1).describe('Its name in the list; stays the same while the list is rewritten.'),
  text: z.string().min(1).max(2000).describe('What is to be done.'),
  status: z
    .enum(['open', 'in_progress', 'done', 'cancelled'])
    .describe('"done" is a claim: complete_step signs it off.'),
});

export type Todo = Readonly<z.infer<typeof todoSchema>>;

/**
 * The items that are neither cancelled nor signed off by one of the accepted steps, which are named by their places in the
 * ledger; also those that a newer list leaves out, which closes nothing. A number means the list that stood when the step was
 * completed.
 */
export function openTodos(ledger: readonly Observation[], acceptedSteps: ReadonlySet<number>): Todo[] {
  let items: readonly Todo[] = [];
  const listed = new Map<string, Todo>();
  const signed = new Set<string>();
  for (const [at, observation] of ledger.entries()) {
    if (observation.kind === 'todos') {
      items = observation.items;
      for (const item of items) listed.set(item.id, item);
    }
    if (observation.kind === 'step' && acceptedSteps.has(at))
      signed.add(plain(namedText(observation.step.step, items)));
  }
  return [...listed.values()].filter(({ status, text }) => status !== 'cancelled' && !signed.has(plain(text)));
}

/** The text of the item that a step names by its text, its id or its place from 1; else the step's own words. */
function namedText(step: string, items: readonly Todo[]): string {
  const byText = items.find(({ text }) => plain(text) === plain(step));
  if (byText !== undefined) return byText.text;
  const number = /^(?:step|todo)?\s*#?(\d+)\s*[.:)]?$/i.exec(step.trim())?.[1];
  const named = items.find(({ id }) => id === step.trim() || id === number) ?? items[Number(number ?? 0) - 1];
  if (named !== undefined) return named.text;
  // `2. Mend the parser`
  return step.replace(/^\s*\d+[.)]\s+/, '');
}

/** Blanks make no difference between two texts; letter case does, as in names. */
function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
