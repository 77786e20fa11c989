import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RemitError } from '../base/index.ts';
import { cursorSections } from './inspect-cursor.ts';
import { type PageRequest, pageSections } from './inspect-page.ts';
import {
  type InspectOutput,
  type InspectSections,
  inspectOutputSchema,
  SECTION_NAMES,
  type SectionName,
} from './wire-schemas.ts';

const KEY = 'key of a state directory';
const LISTS: readonly SectionName[] = [
  'changed_files',
  'verification',
  'acceptance_evidence',
  'risks',
  'interactions',
  'events',
];

const status = {
  task_id: 't',
  state: 'running',
  phase: 'working',
  contract_hash: 'a'.repeat(64),
  repository_id: 'r',
  branch: 'remit/t',
  worktree: '/w',
  worker_lane: 'fast',
  requested_reasoning_effort: 'low',
  effective_reasoning_effort: 'low',
  execution_timeout_seconds: 600,
  source_checkout_integrated: false,
  repair_rounds: 0,
  updated_at: '2026-01-01T00:00:00.000Z',
} as const;

function request(sections: InspectSections, more: Partial<PageRequest> = {}): PageRequest {
  return { taskId: 't', revision: '7', updatedAt: status.updated_at, sections, key: KEY, ...more };
}

/** Puts pages together as their documentation says. */
function reassemble(pages: readonly InspectOutput[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  const pieces: Record<string, string> = {};
  for (const { sections } of pages) {
    for (const [name, value] of Object.entries(sections)) {
      if (['summary', 'diff_stat', 'diff'].includes(name)) whole[name] = `${whole[name] ?? ''}${value}`;
      else if (typeof value !== 'string')
        whole[name] = Array.isArray(value) ? [...((whole[name] as unknown[]) ?? []), ...value] : value;
      else {
        pieces[name] = `${pieces[name] ?? ''}${value}`;
        const element = completeJson(pieces[name]);
        if (element === undefined) continue;
        delete pieces[name];
        whole[name] = LISTS.includes(name as SectionName) ? [...((whole[name] as unknown[]) ?? []), element] : element;
      }
    }
  }
  expect(pieces).toEqual({});
  return whole;
}

function completeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function allPages(sections: InspectSections, sizes: readonly number[]): InspectOutput[] {
  const pages: InspectOutput[] = [];
  let cursor: string | undefined;
  do {
    const maxBytes = sizes[pages.length % sizes.length] ?? 1024;
    const page = pageSections(request(sections, { maxBytes, cursor }));
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(maxBytes);
    pages.push(page);
    cursor = page.next_cursor;
    expect(page.truncated).toBe(cursor !== undefined);
  } while (cursor !== undefined && pages.length < 5_000);
  return pages;
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constant('"\n\\\u0001é😀'.repeat(400)),
);
const texts = fc.array(text, { maxLength: 12 });
const events = fc.array(
  fc.record({ seq: fc.nat(), timestamp: fc.constant('now'), type: text, data: fc.jsonValue({ maxDepth: 3 }) }),
  { maxLength: 8 },
);
const someSections = fc.record(
  {
    status: fc.constant(status),
    summary: text,
    changed_files: texts,
    diff: text,
    risks: texts,
    interactions: fc.array(
      fc.record({
        id: fc.string(),
        kind: fc.constant('input' as const),
        status: fc.constant('pending' as const),
        createdAt: fc.constant('now'),
        request: fc.record({ question: text }),
      }),
      { maxLength: 3 },
    ),
    events,
  },
  { requiredKeys: [] },
);
const sizes = fc.array(fc.integer({ min: 1024, max: 6_000 }), { minLength: 1, maxLength: 4 });

describe('pages of an inspection', () => {
  test('whatever their sizes, the pages together hold everything and each is within its limit', () => {
    fc.assert(
      fc.property(someSections, sizes, (sections, limits) => {
        const given = JSON.parse(JSON.stringify(sections)) as InspectSections;
        const pages = allPages(given, limits);
        expect(reassemble(pages)).toEqual(given);
        for (const page of pages) expect(inspectOutputSchema.safeParse(page).success).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('a text is never cut inside a character', () => {
    const pages = allPages({ diff: '😀'.repeat(2_000) }, [1024, 1025, 1026, 1027]);
    expect(pages.length).toBeGreaterThan(8);
    for (const { sections } of pages) expect(sections.diff?.isWellFormed()).toBe(true);
  });

  test('a small task is one page without a cursor', () => {
    const sections: InspectSections = { status, summary: '', changed_files: [], risks: ['one'] };
    expect(pageSections(request(sections))).toEqual({
      task_id: 't',
      sections,
      truncated: false,
      updated_at: status.updated_at,
    });
  });

  test('an element that fits a page of its own is not cut', () => {
    const files = ['a'.repeat(500), 'b'.repeat(700), 'c'.repeat(700)];
    const pages = allPages({ changed_files: files }, [1024]);
    expect(pages.map(({ sections }) => sections.changed_files)).toEqual([[files[0]], [files[1]], [files[2]]]);
  });

  test('a diff of many megabytes costs one page, not the whole text, at each call', () => {
    const page = pageSections(request({ diff: 'x'.repeat(20_000_000) }));
    expect(page.sections.diff?.length).toBeGreaterThan(60_000);
  });
});

describe('a cursor', () => {
  const sections: InspectSections = { diff: 'line\n'.repeat(1_000), risks: ['r'] };
  const first = pageSections(request(sections, { maxBytes: 1024 }));
  const cursor = first.next_cursor ?? '';

  function refused(more: Partial<PageRequest>, of: InspectSections = sections): RemitError {
    try {
      pageSections(request(of, { maxBytes: 1024, cursor, ...more }));
    } catch (error) {
      if (error instanceof RemitError) return error;
      throw error;
    }
    throw new Error('was accepted');
  }

  test('continues after a restart, since only the key is needed', () => {
    const page = pageSections(request(structuredClone(sections), { cursor, key: Buffer.from(KEY) }));
    expect(`${first.sections.diff}${page.sections.diff}`).toBe(sections.diff);
  });

  test.each<[string, Partial<PageRequest>]>([
    ['another task', { taskId: 'u' }],
    ['another key', { key: 'other' }],
    ['another state', { revision: '8' }],
    ['no cursor at all', { cursor: 'hello' }],
    ['a padded one', { cursor: `${cursor}=` }],
    ['a longer one', { cursor: `${cursor}AAAA` }],
    ['one of other characters', { cursor: `${cursor.slice(0, -1)}\u0000` }],
  ])('is refused for %s', (_, more) => {
    expect(refused(more).code).toBe('invalid_request');
  });

  test('is refused for other sections, and tells which are its own', () => {
    expect(refused({}, { diff: sections.diff }).message).toContain('other sections');
    expect(cursorSections('t', cursor, KEY)).toEqual(['diff', 'risks']);
  });

  test('an earlier state is named as the reason', () => {
    expect(refused({ revision: '8' }).details).toEqual({ reason: 'task_changed' });
  });

  test('with any one character changed is refused', () => {
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'ABab01-_'), (index, character) => {
        fc.pre(cursor[index] !== character);
        expect(refused({ cursor: cursor.slice(0, index) + character + cursor.slice(index + 1) }).code).toBe(
          'invalid_request',
        );
      }),
    );
  });

  test('fits sections of every name', () => {
    const all = Object.fromEntries(
      SECTION_NAMES.map((name) => [
        name,
        LISTS.includes(name) ? [] : name === 'usage' || name === 'status' ? {} : 'x'.repeat(2_000),
      ]),
    );
    const page = pageSections(request(all as InspectSections, { maxBytes: 1024 }));
    expect(cursorSections('t', page.next_cursor ?? '', KEY)).toEqual([...SECTION_NAMES]);
  });
});
