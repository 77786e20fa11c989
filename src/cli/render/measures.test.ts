import { expect, test } from 'vitest';
import { ageText, costText, countText, durationText, sizeText, usageText } from './measures.ts';

test.each([
  [-5, '0 ms'],
  [340, '340 ms'],
  [999.6, '1.0 s'],
  [12_400, '12.4 s'],
  [59_949, '59.9 s'],
  [59_950, '1m 00s'],
  [72_000, '1m 12s'],
  [3_599_400, '59m 59s'],
  [3_599_600, '1h 00m'],
  [7_500_000, '2h 05m'],
  [86_400_000, '1d 0h'],
  [273_600_000, '3d 4h'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test.each([
  ['2026-01-02T00:00:00.500Z', 'now'],
  ['2026-01-03T00:00:00.000Z', 'now'],
  ['2026-01-01T23:59:48.000Z', '13s'],
  ['2026-01-01T23:55:01.000Z', '5m'],
  ['2026-01-01T20:30:00.000Z', '3h'],
  ['2025-12-30T12:00:00.000Z', '2d'],
  ['nonsense', '?'],
])('what happened at %s is %s old', (since, age) => {
  expect(ageText(since, new Date('2026-01-02T00:00:01.000Z'))).toBe(age);
});

test.each([
  [0, '0'],
  [950, '950'],
  [18_204, '18.2k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
  [3_400_000, '3.4M'],
])('%d tokens are %s', (count, text) => {
  expect(countText(count)).toBe(text);
});

test.each([
  [1, '1 byte'],
  [312, '312 bytes'],
  [12_288, '12.0 KiB'],
  [1_048_524, '1023.9 KiB'],
  [1_048_526, '1.0 MiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test.each([
  [0, 'USD', '0.00 USD'],
  [0.012_34, 'USD', '0.0123 USD'],
  [12.345, null, '12.35'],
])('a cost of %d in %s is %s', (amount, currency, text) => {
  expect(costText(amount, currency)).toBe(text);
});

test('usage leaves out what the worker did not report', () => {
  const none = { cacheHitRatio: null, estimatedCost: null, currency: null };
  expect(usageText({ promptTokens: 18_204, completionTokens: 950, ...none })).toBe('18.2k tokens in, 950 out');
  expect(
    usageText({ promptTokens: 10, completionTokens: 2, cacheHitRatio: 0.934, estimatedCost: 0.5, currency: 'USD' }),
  ).toBe('10 tokens in (93% cached), 2 out, 0.500 USD');
  const cost = { cacheHitRatio: null, estimatedCost: 0.5, currency: 'USD' };
  expect(usageText({ promptTokens: 0, completionTokens: 0, ...cost })).toBe('0.500 USD');
  expect(usageText({ promptTokens: 0, completionTokens: 0, ...none })).toBe('nothing');
});
