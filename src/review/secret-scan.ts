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

/**
 * Looks for credentials by the maintained rules of secretlint, in memory: no configuration is read from anywhere, and
 * the rules' own switch-off comments are defused, since whoever wrote the file could write those too.
 */
export async function scanForSecrets(files: readonly ScannedFile[]): Promise<SecretScan> {
  const findings: SecretFinding[] = [];
  const notScanned: { path: string; reason: string }[] = [];
  const lint = await loadRules();
  for (const { path, content } of files) {
    for (const { rule } of await lint(path, '')) findings.push({ path: withoutName(path), rule });
    if (content.length > MAX_BYTES) {
      notScanned.push({ path, reason: `larger than ${MAX_BYTES / 1024 / 1024} MiB` });
      continue;
    }
    const ending = /\.json$/i.test(path) ? '.json' : '';
    const found = (await Promise.all(readings(content).map((text) => lint(text, ending)))).flat();
    for (const { rule, line } of unique(found)) findings.push({ path, rule, line });
  }
  return { findings, notScanned };
}

interface Match {
  readonly rule: string;
  readonly line: number;
}

/** Loaded at the first use: the rules take longer to read than most scans. */
async function loadRules(): Promise<(text: string, ending: string) => Promise<Match[]>> {
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

function unique(matches: readonly Match[]): Match[] {
  return [...new Map(matches.map((match) => [`${match.rule}:${match.line}`, match])).values()];
}
