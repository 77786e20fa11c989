/**
 * One bounded page of a task's sections. Pure. All pages in order hold everything: texts go on where they were cut (never
 * inside a character), lists go on with their next element. An element or object that is larger than a page by itself comes
 * as pieces of its JSON text, alone in its section on each of those pages; a piece never spans two elements.
 */
import { RemitError } from '../base/index.ts';
import { CURSOR_LENGTH, type CursorKey, type Place, readCursor, writeCursor } from './inspect-cursor.ts';
import { fittingEnd, jsonTextBytes } from './json-bytes.ts';
import {
  type InspectOutput,
  type InspectSections,
  MAX_PAGE_BYTES,
  SECTION_NAMES,
  type SectionName,
} from './wire-schemas.ts';

export interface PageRequest {
  readonly taskId: string;
  /** Names the state that the sections were built from; a cursor of another state is refused. */
  readonly revision: string;
  readonly updatedAt: string;
  readonly sections: InspectSections;
  /** Bytes of the serialised page: 1,024 to 65,536, which is the default. */
  readonly maxBytes?: number | undefined;
  readonly cursor?: string | undefined;
  /** Signs cursors; the same after a restart. */
  readonly key: CursorKey;
}

/** Throws `invalid_request` for a cursor that was not given for exactly this task, state and these sections. */
export function pageSections(request: PageRequest): InspectOutput {
  const { taskId, revision, updatedAt, sections, key } = request;
  const names = SECTION_NAMES.filter((name) => sections[name] !== undefined);
  const scope = { taskId, revision, sections: names };
  const start = request.cursor === undefined ? undefined : readCursor(scope, request.cursor, key);
  const frame = {
    task_id: taskId,
    sections: {},
    truncated: true,
    next_cursor: 'x'.repeat(CURSOR_LENGTH),
    updated_at: updatedAt,
  };
  const page = new Page((request.maxBytes ?? MAX_PAGE_BYTES) - Buffer.byteLength(JSON.stringify(frame)));
  const next = fillPage(page, sections, names, start);
  return {
    task_id: taskId,
    sections: page.sections as InspectSections,
    truncated: next !== undefined,
    ...(next && { next_cursor: writeCursor(scope, next, key) }),
    updated_at: updatedAt,
  };
}

/** Puts in what fits, from `start` on; answers where the next page begins, or nothing at the end. */
function fillPage(
  page: Page,
  sections: InspectSections,
  names: readonly SectionName[],
  start: Place | undefined,
): Place | undefined {
  const first = start === undefined ? 0 : names.indexOf(start.section);
  if (first < 0) throw outOfPlace();
  for (const name of names.slice(first)) {
    const from = start?.section === name ? start : { section: name, element: 0, offset: 0 };
    const value = sections[name];
    const stop = isText(name, value) ? putText(page, from, value) : putElements(page, from, value);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

function isText(name: SectionName, value: unknown): value is string {
  return typeof value === 'string' && ['summary', 'diff_stat', 'diff'].includes(name);
}

function putText(page: Page, from: Place, text: string): Place | undefined {
  if (from.offset > text.length) throw outOfPlace();
  const end = fittingEnd(text, from.offset, page.roomFor(from.section));
  if (end === from.offset && end < text.length) return page.isEmpty ? refuseToStandStill() : from;
  if (end === text.length && page.roomFor(from.section) < 2) return page.isEmpty ? refuseToStandStill() : from;
  page.put(from.section, text.slice(from.offset, end));
  return end < text.length ? { ...from, offset: end } : undefined;
}

/** A list, or an object as a list of one that is not wrapped. */
function putElements(page: Page, from: Place, value: unknown): Place | undefined {
  const list = Array.isArray(value) ? value : undefined;
  const elements: readonly unknown[] = list ?? [value];
  if (from.element > elements.length) throw outOfPlace();
  if (from.offset > 0) return putPiece(page, from, elements);
  const taken: unknown[] = [];
  let bytes = list ? 2 : 0;
  for (let element = from.element; element < elements.length; element += 1) {
    const size = Buffer.byteLength(JSON.stringify(elements[element])) + (taken.length > 0 ? 1 : 0);
    if (bytes + size > page.roomFor(from.section)) {
      if (taken.length > 0) page.put(from.section, taken);
      const here = { ...from, element };
      return page.isEmpty ? putPiece(page, here, elements) : here;
    }
    bytes += size;
    taken.push(elements[element]);
  }
  if (bytes > page.roomFor(from.section)) return from;
  page.put(from.section, list ? taken : taken[0]);
  return undefined;
}

/** Part of the JSON text of an element that no page can hold whole. */
function putPiece(page: Page, from: Place, elements: readonly unknown[]): Place | undefined {
  if (from.element >= elements.length) throw outOfPlace();
  const text = JSON.stringify(elements[from.element]);
  if (from.offset >= text.length) throw outOfPlace();
  const end = fittingEnd(text, from.offset, page.roomFor(from.section));
  if (end === from.offset) return refuseToStandStill();
  page.put(from.section, text.slice(from.offset, end));
  if (end < text.length) return { ...from, offset: end };
  const element = from.element + 1;
  return element < elements.length ? { ...from, element, offset: 0 } : undefined;
}

/** The sections of one page, and how many bytes of JSON are left for more. */
class Page {
  readonly sections: Partial<Record<SectionName, unknown>> = {};
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get isEmpty(): boolean {
    return Object.keys(this.sections).length === 0;
  }

  /** Bytes that the value of a section may take beside its name, colon and comma. */
  roomFor(name: SectionName): number {
    return this.#left - jsonTextBytes(name) - 2;
  }

  put(name: SectionName, value: unknown): void {
    this.#left -= jsonTextBytes(name) + 2 + Buffer.byteLength(JSON.stringify(value));
    this.sections[name] = value;
  }
}

function outOfPlace(): RemitError {
  return new RemitError('invalid_request', 'The cursor points behind the end: start again without it.');
}

/** Would otherwise answer with empty pages for ever. */
function refuseToStandStill(): never {
  throw new Error('a page is too small for a single character; max_bytes is at least 1,024');
}
