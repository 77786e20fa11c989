import type { Desk } from '../../app/index.ts';
import type { Detach } from '../detach.ts';
import type { ExitCode } from '../exit-codes.ts';
import { finish } from './finish.ts';
import type { Manner } from './manner.ts';
import { openPrompts, type Prompts } from './prompts.ts';
import { plainScreen, type Screen, silentScreen, terminalScreen } from './screen.ts';
import { Session } from './session.ts';

/** Lines can be redrawn and keys read: not where a terminal does not know its own size. */
function isTerminal(stream: { readonly isTTY?: boolean; readonly columns?: number }): boolean {
  return stream.isTTY === true && stream.columns !== 0 && process.env['TERM'] !== 'dumb';
}

/** Whether there is a person at both ends: who reads what is asked, and types the answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && isTerminal(process.stderr);
}

export async function openScreen(json: boolean): Promise<Screen> {
  if (isTerminal(process.stderr)) return terminalScreen(process.stderr);
  return json ? silentScreen() : plainScreen(process.stderr);
}

interface Holding {
  readonly taskId: string;
  readonly manner: Manner;
  readonly screen: Screen;
  readonly detach: Detach;
  readonly isNew: boolean;
  readonly json: boolean;
}

/** Holds a session with one task to its end and prints what came of it. */
export async function holdSession(desk: Desk, holding: Holding): Promise<ExitCode> {
  const { manner, detach, json, taskId } = holding;
  let opened: Promise<Prompts> | undefined;
  const prompts = () => {
    opened ??= openPrompts(process.stderr, detach);
    return opened;
  };
  const end = await new Session({ ...holding, desk, prompts }).run();
  return finish(end, { json, asked: manner.asks, diff: () => desk.diff(taskId) });
}
