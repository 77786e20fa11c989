import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { usageSchema } from '../worker/index.ts';

/** What goes on in a task at this moment: worth showing to who watches, not worth keeping. Texts are escaped and redacted. */
export const activitySchema = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('message'), text: z.string().describe("A piece of the worker's own words.") })
    .describe('The worker says something.'),
  z
    .strictObject({ type: z.literal('usage'), usage: usageSchema.describe('What the worker says it used so far.') })
    .describe('The worker reports what it used.'),
  z
    .strictObject({
      type: z.literal('check_started'),
      id: z.string().describe('Id of the verification command.'),
      argv: z.array(z.string()).describe('The command, one argument each.'),
      cwd: z.string().describe('Folder in which it runs, relative to the root of the repository.'),
    })
    .describe('The host begins a verification command.'),
  z
    .strictObject({
      type: z.literal('check_output'),
      id: z.string().describe('Id of the verification command.'),
      line: z.string().describe('One line of its output; a long one is cut.'),
    })
    .describe('A verification command prints a line.'),
  z
    .strictObject({
      type: z.literal('check_ended'),
      id: z.string().describe('Id of the verification command.'),
      passed: z.boolean().describe('Whether it proved what it should.'),
      outcome: z.string().describe('How it ended, in words.'),
      duration_ms: z.number().describe('How long it ran, in milliseconds.'),
    })
    .describe('A verification command has ended.'),
]);

export type Activity = z.infer<typeof activitySchema>;
export type ActivityListener = (activity: Activity) => void;

/** Carries activity from where it happens to who watches; what nobody watches is gone. */
export class ActivityFeed {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  publish(taskId: string, activity: Activity): void {
    this.#emitter.emit(taskId, activity);
  }

  /** The answer ends it. */
  listen(taskId: string, listener: ActivityListener): () => void {
    this.#emitter.on(taskId, listener);
    return () => this.#emitter.off(taskId, listener);
  }
}
