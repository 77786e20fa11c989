import { z } from 'zod';
import { todoSchema } from '../../evidence/index.ts';
import { defineTool } from './define-tool.ts';

export const todoWrite = defineTool({
  name: 'todo_write',
  readOnly: true,
  description:
    'Replace the list of steps of a longer task. A step counts as done when complete_step names it, or when it is cancelled.',
  input: z.strictObject({
    items: z
      .array(todoSchema)
      .max(50)
      .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'two items have the same id')
      .describe('The whole list, in order.'),
  }),
  async run({ items }, { authority, ledger }) {
    await authority.claim({ kind: 'todos', items }, ledger);
    const lines = items.map(({ id, text, status }) => `${id} [${status}] ${text}`);
    return { text: ['The list is now:', ...lines].join('\n'), observations: [{ kind: 'todos', items }] };
  },
});
