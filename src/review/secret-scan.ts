import { setImmediate } from 'node:timers/promises';
import type { SecretLintCoreConfig } from '@secretlint/types';
import { sha256 } from '../base/index.ts';

/** One file of the candidate; of a symbolic link, its target is the content. */
export interface ScannedFile {
  readonly path: string;
  readonly content: Buffer;
}

/** Where something looks like a credential; what it is stays unsaid. */
export interface SecretFinding {
  readonly path: string;
  readonly rule: string;
  /** From 1; absent when the file's name is what looks like one. */
  readonly line?: number;
}

export interface SecretScan {
  readonly findings: readonly SecretFinding[];
  readonly notScanned: readonly { readonly path: string; readonly reason: string }[];
}

/** Largest file that is searched, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Keys of model providers, which the maintained rules know only in part. */
const PROVIDER_KEY = /\bsk-(?:ant-|proj-|or-v1-)?[A-Za-z0-9_-]{32}/;

/** Texts are joined up to this many characters for one look: the rules cost more for each look than for its length. */
const LOOK_CHARACTERS = 256 * 1024;

/** Files with findings whose former content is looked at; in more of them every finding counts as new. */
const MAX_COMPARED = 256;

/** What a file was before a change, under the name that it had; undefined when there was none. */
export type ReadBefore = (path: string) => Promise<ScannedFile | undefined>;

/**
 * Looks for credentials by the maintained rules of secretlint, in memory: no configuration is read from anywhere, and
 * the rules' own switch-off comments are defused, since whoever wrote the file could write those too. With `readBefore`,
 * what a file already held in the same lines, by the same rule, is no finding: a change did not bring it.
 */
export async function scanForSecrets(files: readonly ScannedFile[], readBefore?: ReadBefore): Promise<SecretScan> {
  const lint = await loadRules();
  const found = await findIn(files, lint);
  const fresh = readBefore ? await withoutKnown(found, readBefore, lint) : found;
  return {
    findings: unique(fresh.map(tell)),
    notScanned: files
      .filter(({ content }) => content.length > MAX_BYTES)
      .map(({ path }) => ({ path, reason: `larger than ${MAX_BYTES / 1024 / 1024} MiB` })),
  };
}

async function findIn(files: readonly ScannedFile[], lint: Lint): Promise<Found[]> {
  const names = files.map(({ path }) => ({
    path,
    isName: true,
    text: path.replaceAll('\n', ' '),
    ending: '' as const,
  }));
  const contents = files.filter(({ content }) => content.length <= MAX_BYTES);
  const texts = contents.flatMap(({ path, content }) =>
    readings(content).map((text) => ({ path, isName: false, text, ending: endingOf(path) })),
  );
  return [...(await lookAt(names, lint)), ...(await lookAt(texts, lint))];
}

async function withoutKnown(found: readonly Found[], readBefore: ReadBefore, lint: Lint): Promise<Found[]> {
  const fresh: Found[] = [];
  for (const [nth, [path, inFile]] of [...Map.groupBy(found, (match) => match.path)].entries()) {
    const before = nth < MAX_COMPARED ? await readBefore(path) : undefined;
    const known = new Set(before ? (await findIn([before], lint)).map(identity) : []);
    fresh.push(...inFile.filter((match) => !known.has(identity(match))));
  }
  return fresh;
}

/** A line's number says nothing: it moves with every edit above it. */
function identity({ rule, isName, digest }: Found): string {
  return `${isName} ${rule} ${digest}`;
}

/** A name that holds a credential is not shown. */
function tell({ path, rule, line, isName }: Found): SecretFinding {
  return isName ? { path: `${path.slice(0, path.lastIndexOf('/') + 1)}(its name)`, rule } : { path, rule, line };
}

interface Text {
  readonly path: string;
  readonly isName: boolean;
  readonly text: string;
  /** JSON is looked at alone, under its ending: one rule reads it as such. */
  readonly ending: '' | '.json';
}

interface Found {
  readonly path: string;
  readonly isName: boolean;
  readonly rule: string;
  readonly line: number;
  /** Of the lines that it stands in. */
  readonly digest: string;
}

/** Looks at many texts in few looks; a line of a look is told back as the line of its own text. */
async function lookAt(texts: readonly Text[], lint: Lint): Promise<Found[]> {
  const found: Found[] = [];
  for (const look of joinTexts(texts)) {
    const matches = await lint(look.map(({ text }) => text).join('\n'), look[0]?.ending ?? '');
    if (matches.length > 0) found.push(...place(matches, look));
    // Other tasks of this process go on between two looks.
    await setImmediate();
  }
  return found;
}

function place(matches: readonly Match[], look: readonly Text[]): Found[] {
  const found: Found[] = [];
  const inOrder = matches.toSorted((a, b) => a.line - b.line);
  let next = 0;
  let before = 0;
  for (const { path, isName, text } of look) {
    const lines = text.split('\n');
    for (let match = inOrder[next]; match && match.line <= before + lines.length; match = inOrder[++next]) {
      const line = match.line - before;
      const digest = sha256(lines.slice(line - 1, match.lastLine - before).join('\n'));
      found.push({ path, isName, rule: match.rule, line, digest });
    }
    before += lines.length;
  }
  return found;
}

function joinTexts(texts: readonly Text[]): Text[][] {
  const looks: Text[][] = [];
  let characters = LOOK_CHARACTERS;
  for (const text of texts) {
    const alone = text.ending !== '';
    if (alone || characters + text.text.length > LOOK_CHARACTERS) {
      looks.push([]);
      characters = alone ? LOOK_CHARACTERS : 0;
    }
    looks.at(-1)?.push(text);
    characters += text.text.length + 1;
  }
  return looks;
}

function endingOf(path: string): '' | '.json' {
  return /\.json$/i.test(path) ? '.json' : '';
}

type Lint = (text: string, ending: string) => Promise<Match[]>;

interface Match {
  readonly rule: string;
  readonly line: number;
  readonly lastLine: number;
}

/** Loaded at the first use: the rules take longer to read than most scans. */
async function loadRules(): Promise<Lint> {
  // With DEBUG=* the rules would print what they look at.
  delete process.env['DEBUG'];
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const config: SecretLintCoreConfig = { rules: [{ id: 'recommended', rule: creator }] };
  return async (text, ending) => {
    const content = text.replaceAll(/secretlint-(disable|enable)/g, 'secretlint_$1');
    // Rules look at the ending: some files they skip, JSON they read as such, and a .p12 they would read from the disk.
    const source = { filePath: `/candidate${ending}`, content, ext: ending, contentType: 'text' as const };
    const { messages } = await lintSource({ source, options: { config, maskSecrets: true } });
    const known = messages.map(({ ruleId, loc }) => ({
      rule: shortName(ruleId),
      line: loc.start.line,
      lastLine: loc.end.line,
    }));
    return [...known, ...providerKeys(content)];
  };
}

function shortName(ruleId: string): string {
  return ruleId.replace(/^@secretlint\/secretlint-rule-/, '');
}

function providerKeys(text: string): Match[] {
  return text.split('\n').flatMap((line, index) => {
    const at = { rule: 'model-provider-key', line: index + 1, lastLine: index + 1 };
    return PROVIDER_KEY.test(line) ? [at] : [];
  });
}

/** Each way in which the bytes may be text: UTF-8, UTF-16 by its mark, and without the NULs that could split a token. */
function readings(content: Buffer): string[] {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return [content.toString('utf16le')];
  if (first === 0xfe && second === 0xff) return [swapped(content).toString('utf16le')];
  const text = content.toString('utf8');
  return text.includes('\0') ? [text, text.replaceAll('\0', '')] : [text];
}

function swapped(content: Buffer): Buffer {
  return Buffer.from(content.subarray(0, content.length - (content.length % 2))).swap16();
}

function unique(found: readonly SecretFinding[]): SecretFinding[] {
  return [...new Map(found.map((match) => [`${match.rule}:${match.line}:${match.path}`, match])).values()];
}
