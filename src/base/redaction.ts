/** Replaces what looks like a credential by a mark. For logs, events, errors and captured output, never for a diff. */

const MARK = '[redacted]';

const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{1,4096}/g,
];

/** The lookbehind and the bounds keep each attempt short: a long run of letters is tried once, not at every letter. */
const LABELLED =
  /((?:authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:bearer|basic)\s{1,8})|(?:(?:["']|(?<![A-Za-z0-9_-]))[A-Za-z0-9_-]{0,64}(?:api[_-]?key|secret|password|passwd|token)["']?\s{0,8}[:=]\s{0,8}["']?))([^\s"',;]{6,})/gi;

const URL_CREDENTIALS = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/:@]{0,256}:[^\s/@]{1,256}@/gi;

export function redact(text: string): string {
  let clean = text.replace(URL_CREDENTIALS, `$1${MARK}@`).replace(LABELLED, `$1${MARK}`);
  for (const shape of SECRET_SHAPES) clean = clean.replace(shape, MARK);
  return clean;
}

/** The same for every string inside a JSON value; keys stay. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactDeep);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactDeep(member)]));
}
