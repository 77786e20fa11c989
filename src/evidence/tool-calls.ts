import type { Change } from './changes.ts';
import type { ReadEvidence } from './read-evidence.ts';

/** A call of one of the worker's tools, exactly as it is to be made. */
export interface ToolCall {
  readonly tool: 'read_file' | 'delete_file' | 'bash' | 'complete_step' | 'review_report';
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The call that shows what was not seen of a change. */
export function callToSee(change: Change, evidence: ReadEvidence): ToolCall | undefined {
  if (evidence.kind === 'seen') return undefined;
  // Git shows a new file only once it is committed.
  if (evidence.kind === 'unreadable' && change.isNew) return { tool: 'delete_file', arguments: { path: change.path } };
  if (evidence.kind !== 'lines_unseen') return bashCall(['git', 'diff', 'HEAD', '--', change.path]);
  return readCall(change.path, evidence.lines[0]?.from, evidence.lines.at(-1)?.to);
}

export function readCall(path: string, from?: number, to?: number): ToolCall {
  return { tool: 'read_file', arguments: { path, ...(from === undefined ? {} : { from, to }) } };
}

/** With its words and not as a line: then no quoting can go wrong. */
export function bashCall(argv: readonly string[], cwd = ''): ToolCall {
  return { tool: 'bash', arguments: { argv, ...(cwd === '' || cwd === '.' ? {} : { cwd }) } };
}

/** An argv as one reads and types it. */
export function commandLine(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
