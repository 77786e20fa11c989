import type { QuestionAnswer } from './question-answer.ts';

/** What a person, or the command line in the person's place, wants done about a task that waits. */
export type Wish =
  | { readonly do: 'respond'; readonly interactionId: string; readonly answer: QuestionAnswer }
  | { readonly do: 'resume'; readonly guidance?: string }
  | { readonly do: 'finalize'; readonly approved: readonly string[]; readonly summary: string }
  | { readonly do: 'repair'; readonly message: string }
  | { readonly do: 'cancel' }
  /** Nothing: the task waits on, and the session ends. */
  | { readonly do: 'leave' };
