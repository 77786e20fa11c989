import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wireErrors from '../../wire/errors.json' with { type: 'json' };
import {
  decodePath,
  ERROR_CODES,
  encodePath,
  NEXT_ACTIONS,
  RemitError,
  redact,
  truncateUtf8,
  visibleLine,
  visibleText,
} from './index.ts';

describe('a path', () => {
  test('gives back the bytes of any file name', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        expect(encodePath(decodePath(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('of Latin-1 bytes is shown with its bytes escaped', () => {
    expect(visibleLine(decodePath(Buffer.from('caf\xe9.txt', 'latin1')))).toBe('caf\\xE9.txt');
  });
});

describe('shown text', () => {
  test('escapes terminal controls, bidirectional overrides and invisible characters', () => {
    expect(visibleText('a\u001b[2Jb\u202ec\u200bd\re\tf\n')).toBe('a\\x1B[2Jb\\u{202E}c\\u{200B}d\\re\tf\n');
  });

  test.each([
    ['a Hangul filler, which is a letter of identifiers', 'const \u3164 = 1', 'const \\u{3164} = 1'],
    ['a half-width one', 'a\uffa0b', 'a\\u{FFA0}b'],
    ['a grapheme joiner', 'a\u034fb', 'a\\u{34F}b'],
    ['selectors that carry data', 'a\ufe01\u{e0101}', 'a\\u{FE01}\\u{E0101}'],
    ['a tag', 'a\u{e0041}', 'a\\u{E0041}'],
  ])('escapes %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test('leaves ordinary text of any language alone', () => {
    expect(visibleText('naïve 日本語 🎉')).toBe('naïve 日本語 🎉');
  });

  test('is cut between characters', () => {
    expect(truncateUtf8('aé', 2)).toBe('a');
    expect(truncateUtf8('aé', 3)).toBe('aé');
  });
});

describe('an error', () => {
  test('has the retry and next action that the wire lists for its code', () => {
    for (const [code, advice] of Object.entries(wireErrors.errors)) expect(ERROR_CODES).toHaveProperty(code, advice);
    expect([...NEXT_ACTIONS]).toEqual(wireErrors.next_actions);
  });

  test('keeps its cause and may be retryable where its code is not', () => {
    const cause = new Error('disk');
    const error = new RemitError('ownership_ambiguous', 'Git is locked', { cause, retryable: true });
    expect([error.cause, error.retryable, error.nextAction]).toEqual([cause, true, 'resolve_source_collision']);
  });
});

describe('redaction', () => {
  test.each([
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['{"Authorization":"Bearer abcdef123456"}', 'abcdef123456'],
    ["{ authorization: 'Basic abcdef123456' }", 'abcdef123456'],
    ['DEEPSEEK_API_KEY=zq81-not-a-known-shape', 'zq81-not-a-known-shape'],
    ['https://user:hunter22@example.test/x', 'hunter22'],
    ['key ghp_0123456789abcdefghij0123456789', 'ghp_0123456789abcdefghij0123456789'],
  ])('hides the credential in %j', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  test('stays linear on hostile text', () => {
    for (const unit of ['x', 'a.', 'eyJ', 'token', '"', 'api_key:', 'a://']) {
      const text = unit.repeat(400_000 / unit.length);
      expect(redact(text).length).toBeLessThanOrEqual(text.length + 20);
    }
  });

  test('leaves prose alone', () => {
    expect(redact('the token budget is 12 and the key idea holds')).toBe(
      'the token budget is 12 and the key idea holds',
    );
  });
});
