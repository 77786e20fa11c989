import type { TaskView } from '../../app/index.ts';
import { visibleLine } from '../../base/index.ts';
import type { Style } from '../terminal.ts';

type State = TaskView['state'];
type Standing = Pick<TaskView, 'state' | 'phase'>;

const COLOURS: Readonly<Record<State, Parameters<Style>[0]>> = {
  provisioning: 'cyan',
  running: 'cyan',
  waiting_permission: 'yellow',
  waiting_input: 'yellow',
  paused: 'yellow',
  review_required: 'yellow',
  verifying: 'cyan',
  completed: 'green',
  commit_failed: 'red',
  failed: 'red',
  cancelled: 'dim',
  closed: 'dim',
};

/** Phases that only say again what the state does. */
const PLAIN_PHASES: readonly string[] = [...Object.keys(COLOURS), 'review_ready', 'working', 'worktree', 'committed'];

/** Whether the task waits for a person. */
export function needsSomebody(state: State): boolean {
  return COLOURS[state] === 'yellow';
}

/** The state in its colour, with the phase where that says more: `paused (no_change_in_scope)`. */
export function stateText(standing: Standing, style: Style): string {
  return style(COLOURS[standing.state], stateWords(standing));
}

export function stateWords({ state, phase }: Standing): string {
  return PLAIN_PHASES.includes(phase) ? state : `${state} (${visibleLine(phase)})`;
}
