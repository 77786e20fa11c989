import type { Desk } from '../../app/index.ts';
import type { Detach } from '../detach.ts';
import type { Manner } from './manner.ts';
import type { Prompts } from './prompts.ts';
import type { Screen } from './screen.ts';

export interface SessionTools {
  readonly desk: Desk;
  readonly taskId: string;
  readonly manner: Manner;
  readonly screen: Screen;
  /** Asked for at the first question only. */
  readonly prompts: () => Promise<Prompts>;
  readonly detach: Detach;
  /** Of an older task, what happened before the session is counted and not told again. */
  readonly isNew: boolean;
}
