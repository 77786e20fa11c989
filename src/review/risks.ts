import { setImmediate } from 'node:timers/promises';
import { visibleLine, visibleText } from '../base/index.ts';
import type { Scope } from '../contract/index.ts';
import type { FileDiff, TreeDiff } from '../git/index.ts';
import { listPaths } from '../task/index.ts';
import { mixedWords } from './mixed-scripts.ts';
import type { SortedChanges } from './snapshot.ts';

interface Facts {
  readonly sorted: SortedChanges;
  readonly diff: TreeDiff;
  readonly notScanned: readonly { path: string; reason: string }[];
  readonly scope: Scope;
}

/** Files that run code on the machine of whoever checks the commit out, or lift an agent's asking. */
const EXECUTABLE_CONFIGURATION =
  /(^|\/)(\.claude|\.codex|\.gemini|\.opencode|\.reasonix|\.qwen|\.vscode|\.idea|\.husky|\.githooks|\.github\/workflows|\.devcontainer)\/|(^|\/)(\.mcp\.json|\.envrc|\.npmrc|\.yarnrc(\.yml)?|\.gitattributes|\.gitmodules|AGENTS\.md|CLAUDE\.md|GEMINI\.md|opencode\.jsonc?)$/i;

/** What editors, patch tools and desktops leave behind. */
const LEFTOVERS = /(^|\/)(\.DS_Store|Thumbs\.db|[^/]*(~|\.orig|\.rej|\.bak|\.swp|\.swo|\.tmp))$/i;

const LARGE_FILE_BYTES = 1024 * 1024;

/** What a reviewer should look at first, each as one sentence that names its paths. */
export async function describeRisks(facts: Facts): Promise<string[]> {
  return [
    cutDiff(facts.diff),
    named('Changed outside the write scope, not part of the reviewed tree', facts.sorted.outOfScope.map(pathOf)),
    named('In scope but ignored by the repository, so not committed', facts.sorted.ignored.map(pathOf)),
    named(
      'Configuration that can run code or change what an agent may do',
      facts.diff.files.filter(isConfiguration).map(pathOf),
    ),
    named('Deleted', facts.diff.files.filter((file) => file.status === 'deleted').map(pathOf)),
    named('Binary, so not shown in the diff', facts.diff.files.filter((file) => file.binary).map(pathOf)),
    named(
      'Larger than 1 MiB',
      facts.sorted.takeable.filter((change) => (change.sizeBytes ?? 0) > LARGE_FILE_BYTES).map(pathOf),
    ),
    named('Looks like a leftover of a tool', facts.diff.files.filter((file) => LEFTOVERS.test(file.path)).map(pathOf)),
    named('Made executable', facts.diff.files.filter(becameExecutable).map(pathOf)),
    named(
      'Not searched for credentials',
      facts.notScanned.map(({ path, reason }) => `${visibleLine(path)} (${reason})`),
    ),
    named('Names that differ only in letter case or Unicode form', lookAlikes(facts.diff.files)),
    lineEndings(facts.diff),
    ...(await addedTextRisks(facts.diff)),
  ].filter((risk) => risk !== undefined);
}

function named(sentence: string, paths: readonly string[]): string | undefined {
  return paths.length === 0 ? undefined : `${sentence}: ${listPaths(paths)}`;
}

function pathOf(of: { path: string }): string {
  return visibleLine(of.path);
}

function isConfiguration(file: FileDiff): boolean {
  return file.status !== 'deleted' && EXECUTABLE_CONFIGURATION.test(file.path);
}

function becameExecutable(file: FileDiff): boolean {
  return file.newMode === '100755' && file.oldMode !== '100755';
}

function lookAlikes(files: readonly FileDiff[]): string[] {
  const byForm = Map.groupBy(
    files.filter((file) => file.status !== 'deleted'),
    (file) => file.path.normalize('NFC').toLowerCase(),
  );
  return [...byForm.values()].filter((group) => group.length > 1).flatMap((group) => group.map(pathOf));
}

function lineEndings(diff: TreeDiff): string | undefined {
  const lines = sum(diff.files, (file) => file.additions + file.deletions);
  const without = sum(diff.files, (file) => file.additionsWithoutLineEndings + file.deletionsWithoutLineEndings);
  if (without >= lines) return undefined;
  return `Line endings changed: of ${lines} added and removed lines, ${without} differ in more than their line ending.`;
}

function sum(files: readonly FileDiff[], count: (file: FileDiff) => number): number {
  return files.reduce((total, file) => total + count(file), 0);
}

function cutDiff({ truncated, totalBytes, sha256, diff }: TreeDiff): string | undefined {
  if (!truncated) return undefined;
  return (
    `The diff has ${totalBytes} bytes (SHA-256 ${sha256}), of which only the first and last, together ${diff.length}, can be ` +
    'shown: read the rest in the worktree, or steer a smaller change.'
  );
}

/** How many bytes of a diff are looked at before other tasks of this process go on. */
const SLICE_BYTES = 256 * 1024;

/** What the added lines hold that a reader would not see, or would take for something else. */
async function addedTextRisks(diff: TreeDiff): Promise<string[]> {
  const present = diff.files.filter((file) => file.status !== 'deleted');
  const mixed = new Set(present.flatMap((file) => mixedWords(file.path)));
  let hidden = false;
  const newline = 10;
  for (let at = 0; at < diff.diff.length; ) {
    const cut = diff.diff.indexOf(newline, at + SLICE_BYTES);
    const end = cut < 0 ? diff.diff.length : cut + 1;
    const added = addedLines(diff.diff.toString('utf8', at, end));
    hidden ||= visibleText(added) !== added;
    for (const word of mixedWords(added)) mixed.add(word);
    at = end;
    await setImmediate();
  }
  return [hiddenCharacters(diff, hidden), mixedScripts([...mixed])].filter((risk) => risk !== undefined);
}

function addedLines(lines: string): string {
  const added = lines.split('\n').filter((line) => line.startsWith('+'));
  return added.map((line) => line.replace(/\r$/, '')).join('\n');
}

function hiddenCharacters(diff: TreeDiff, found: boolean): string | undefined {
  const partly = diff.truncated ? ' Only the part of the diff that can be shown was searched for such characters.' : '';
  if (found)
    return `The added text holds control, bidirectional or invisible characters; they are shown escaped.${partly}`;
  return diff.truncated
    ? `No control, bidirectional or invisible characters were found in the added text.${partly}`
    : undefined;
}

function mixedScripts(words: readonly string[]): string | undefined {
  return named('Words that mix Latin letters with look-alikes of other scripts, which are escaped here', words);
}
