import type { CommandObservation, Observation, WriteObservation } from './observation.ts';
import type { ReviewReport } from './review-report.ts';

/** Observations for tests, each with what the test at hand does not care about filled in. */

const DIGEST = 'a'.repeat(64);

/** `3-5,9` or '' for none. */
export function lines(text: string): { from: number; to: number }[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    const [from, to] = part.split('-').map(Number);
    return { from: from ?? 0, to: to ?? from ?? 0 };
  });
}

export function read(path: string, ranges: string, total = 10, sha256 = DIGEST): Observation {
  return { kind: 'read', path, ranges: lines(ranges), total_lines: total, sha256 };
}

export function wrote(path: string, changed: string, more: Partial<WriteObservation> = {}): WriteObservation {
  const content = more.change === 'deleted' ? { total_lines: 0 } : { total_lines: 10, sha256: DIGEST };
  return { kind: 'write', path, change: 'modified', changed: lines(changed), ...content, ...more };
}

export function created(path: string, total = 10): WriteObservation {
  return wrote(path, `1-${total}`, { change: 'created', total_lines: total });
}

export function deleted(path: string): WriteObservation {
  return wrote(path, '', { change: 'deleted' });
}

/** A command line whose words are parted by blanks. */
export function ran(line: string, stdout: string, more: Partial<CommandObservation> = {}): CommandObservation {
  const stdout_bytes = Buffer.byteLength(stdout);
  return {
    kind: 'command',
    argv: line.split(' '),
    cwd: '',
    exit_code: 0,
    stdout,
    stdout_bytes,
    truncated: false,
    ...more,
  };
}

export function reported(paths: readonly string[], more: Partial<ReviewReport> = {}): Observation {
  return { kind: 'report', report: report(paths, more) };
}

export function report(paths: readonly string[], more: Partial<ReviewReport> = {}): ReviewReport {
  return { kind: 'review', verdict: 'pass', reviewed_paths: paths, findings: [], ...more };
}

export function numbered(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');
}

/** What `git diff` prints of one modified path. */
export function gitDiff(path: string, hunk = '@@ -3 +3 @@\n-old\n+new\n'): string {
  return `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n${hunk}`;
}

export function gitDeletion(path: string): string {
  return `diff --git a/${path} b/${path}\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n`;
}
