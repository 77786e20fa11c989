export interface Trailer {
  /** Letters, digits and hyphens. */
  readonly key: string;
  readonly value: string;
}

const TRAILER_LINE = /^[A-Za-z0-9-]+[ \t]*:/;
const GIT_MADE = /^(?:Signed-off-by: |\(cherry picked from commit )/;

/**
 * The message with the trailers after it. The message's own bytes stay as they are. A message that ends in a block of
 * trailers gets them in that block, else a new one is begun. Rules: git-interpret-trailers(1).
 */
export function appendTrailers(message: string, trailers: readonly Trailer[]): string {
  const lines = trailers.map(({ key, value }) => `${key}: ${value}\n`).join('');
  if (lines === '') return message;
  const body = message === '' || message.endsWith('\n') ? message : `${message}\n`;
  if (body === '' || body.endsWith('\n\n') || endsInTrailers(body)) return body + lines;
  return `${body}\n${lines}`;
}

/** A block of trailers is the last paragraph, not the first, and all of it is trailers, or a quarter with one that Git made. */
function endsInTrailers(message: string): boolean {
  const lines = message.replace(/\n+$/, '').split('\n');
  const blank = lines.findLastIndex((line) => line.trim() === '');
  const title = lines.slice(0, Math.max(0, blank)).some((line) => line.trim() !== '');
  if (!title) return false;
  let trailerLines = 0;
  let otherLines = 0;
  let hasGitMade = false;
  let continues: 'trailer' | 'other' = 'other';
  for (const line of lines.slice(blank + 1)) {
    if (/^[ \t]/.test(line)) {
      if (continues === 'other') otherLines += 1;
      continue;
    }
    const isGitMade = GIT_MADE.test(line);
    const isTrailer = isGitMade || TRAILER_LINE.test(line);
    hasGitMade ||= isGitMade;
    if (isTrailer) trailerLines += 1;
    else otherLines += 1;
    continues = isTrailer ? 'trailer' : 'other';
  }
  return trailerLines > 0 && (otherLines === 0 || (hasGitMade && trailerLines * 3 >= otherLines));
}
