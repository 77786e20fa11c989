/**
 * Where the next page of an inspection begins: opaque, and signed, so that nobody can steer the host to another place
 * than one it named itself. It holds no task id and no key; both take part in the signature.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { RemitError } from '../base/index.ts';
import { SECTION_NAMES, type SectionName } from './wire-schemas.ts';

/** `element` counts within a list; `offset` counts UTF-16 units within a text, or within the JSON text of an element. */
export interface Place {
  readonly section: SectionName;
  readonly element: number;
  readonly offset: number;
}

/** What a cursor is bound to. */
export interface CursorScope {
  readonly taskId: string;
  /** Names the state of the task that is read; any other state refuses the cursor. */
  readonly revision: string;
  readonly sections: readonly SectionName[];
}

export type CursorKey = string | Uint8Array;

const VERSION = 1;
const DIGEST_BYTES = 12;
const SIGNATURE_BYTES = 16;
const HEAD_BYTES = 12;
const CURSOR_BYTES = HEAD_BYTES + DIGEST_BYTES + SIGNATURE_BYTES;

/** Every cursor has this many characters. */
export const CURSOR_LENGTH = Math.ceil((CURSOR_BYTES * 4) / 3);

export function writeCursor(scope: CursorScope, place: Place, key: CursorKey): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUInt16BE(maskOf(scope.sections), 1);
  head.writeUInt8(SECTION_NAMES.indexOf(place.section), 3);
  head.writeUInt32BE(place.element, 4);
  head.writeUInt32BE(place.offset, 8);
  const payload = Buffer.concat([head, digestOf(scope.revision)]);
  return Buffer.concat([payload, sign(scope.taskId, payload, key)]).toString('base64url');
}

/** Throws `invalid_request` for a cursor that is garbled, forged, of another task or sections, or of an earlier state. */
export function readCursor(scope: CursorScope, cursor: string, key: CursorKey): Place {
  const payload = authentic(scope.taskId, cursor, key);
  if (payload.readUInt16BE(1) !== maskOf(scope.sections)) {
    throw refusal('belongs to other sections: leave include out, or repeat the first one');
  }
  if (!digestOf(scope.revision).equals(payload.subarray(HEAD_BYTES))) {
    throw refusal('is of an earlier state of the task: start again without it', { reason: 'task_changed' });
  }
  const section = SECTION_NAMES[payload.readUInt8(3)];
  if (section === undefined) throw refusal('is not one that this host gave');
  return { section, element: payload.readUInt32BE(4), offset: payload.readUInt32BE(8) };
}

/** The sections that a cursor continues, so that a caller need not repeat them. Throws as `readCursor` does. */
export function cursorSections(taskId: string, cursor: string, key: CursorKey): SectionName[] {
  const mask = authentic(taskId, cursor, key).readUInt16BE(1);
  return SECTION_NAMES.filter((_, index) => (mask & (1 << index)) !== 0);
}

function authentic(taskId: string, cursor: string, key: CursorKey): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(0, HEAD_BYTES + DIGEST_BYTES);
  const signature = bytes.subarray(HEAD_BYTES + DIGEST_BYTES);
  const wellFormed = bytes.length === CURSOR_BYTES && bytes.toString('base64url') === cursor && payload[0] === VERSION;
  if (!wellFormed || !timingSafeEqual(sign(taskId, payload, key), signature)) {
    throw refusal('is not one that this host gave for this task: start again without it');
  }
  return payload;
}

/** The purpose is signed too: no other use of the key can yield a cursor. */
function sign(taskId: string, payload: Buffer, key: CursorKey): Buffer {
  const mac = createHmac('sha256', key).update('remit inspect cursor\0').update(taskId).update('\0').update(payload);
  return mac.digest().subarray(0, SIGNATURE_BYTES);
}

function digestOf(revision: string): Buffer {
  return createHash('sha256').update(revision).digest().subarray(0, DIGEST_BYTES);
}

function maskOf(sections: readonly SectionName[]): number {
  return sections.reduce((mask, name) => mask | (1 << SECTION_NAMES.indexOf(name)), 0);
}

function refusal(why: string, details?: Record<string, unknown>): RemitError {
  return new RemitError('invalid_request', `The cursor ${why}.`, details && { details });
}
