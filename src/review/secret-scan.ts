import { setImmediate } from 'node:timers/promises';
import type { SecretLintCoreConfig } from '@secretlint/types';

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
const PROVIDER_KEY = /\bsk-(?:ant-|proj-|or-v1-)?[A-Za-z0-9_-]{32,}/;

/** Texts are joined up to this many characters for one look: the rules cost more for each look than for its length. */
const LOOK_CHARACTERS = 256 * 1024;

/**
 * Looks for credentials by the maintained rules of secretlint, in memory: no configuration is read from anywhere, and
 * the rules' own switch-off comments are defused, since whoever wrote the file could write those too.
 */
export async function scanForSecrets(files: readonly ScannedFile[]): Promise<SecretScan> {
  const lint = await loadRules();
  const names = files.map(({ path }) => ({ path, text: path.replaceAll('\n', ' '), ending: '' as const }));
  const contents = files.filter(({ content }) => content.length <= MAX_BYTES);
  const texts = contents.flatMap(({ path, content }) =>
    readings(content).map((text) => ({ path, text, ending: endingOf(path) })),
  );
  const inNames = await lookAt(names, lint);
  const inContents = await lookAt(texts, lint);
  return {
    findings: [...inNames.map(({ path, rule }) => ({ path: withoutName(path), rule })), ...unique(inContents)],
    notScanned: files
      .filter(({ content }) => content.length > MAX_BYTES)
      .map(({ path }) => ({ path, reason: `larger than ${MAX_BYTES / 1024 / 1024} MiB` })),
  };
}

interface Text {
  readonly path: string;
  readonly text: string;
  /** JSON is looked at alone, under its ending: one rule reads it as such. */
  readonly ending: '' | '.json';
}

interface Found extends Match {
  readonly path: string;
}

/** Looks at many texts in few looks; a line of a look is told back as the line of its own text. */
async function lookAt(texts: readonly Text[], lint: Lint): Promise<Found[]> {
  const found: Found[] = [];
  for (const look of joinTexts(texts)) {
    const matches = await lint(look.map(({ text }) => text).join('\n'), look[0]?.ending ?? '');
    let firstLine = 1;
    for (const { path, text } of look) {
      const lines = text.split('\n').length;
      for (const { rule, line } of matches) {
        if (line >= firstLine && line < firstLine + lines) found.push({ path, rule, line: line - firstLine + 1 });
      }
      firstLine += lines;
    }
    // Other tasks of this process go on between two looks.
    await setImmediate();
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
    const known = messages.map(({ ruleId, loc }) => ({ rule: shortName(ruleId), line: loc.start.line }));
    return [...known, ...providerKeys(content)];
  };
}

/** A name that holds a credential is not shown. */
function withoutName(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}(its name)`;
}

function shortName(ruleId: string): string {
  return ruleId.replace(/^@secretlint\/secretlint-rule-/, '');
}

function providerKeys(text: string): Match[] {
  return text
    .split('\n')
    .flatMap((line, index) => (PROVIDER_KEY.test(line) ? [{ rule: 'model-provider-key', line: index + 1 }] : []));
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

function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((match) => [`${match.rule}:${match.line}:${match.path}`, match])).values()];
}
