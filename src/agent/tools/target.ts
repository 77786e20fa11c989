import { z } from 'zod';
import { decodeText, sha256, type TextContent } from '../../base/index.ts';
import type { FileReading, Place } from '../place/place.ts';
import { placePath } from '../place/place-path.ts';
import type { ToolContext } from './define-tool.ts';
import { shownPath } from './output.ts';

export const pathArgument = (what: string) => z.string().min(1).describe(`${what}, relative to the repository's root.`);

export type Located =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'problem'; readonly text: string };

/** An argument as a path of the place; `field` is its name for the message. */
export function locate(place: Place, field: string, written: string): Located {
  const found = placePath(place.root, written);
  return found.kind === 'inside'
    ? { kind: 'path', path: found.path }
    : { kind: 'problem', text: `${field}: ${found.reason}.` };
}

export interface TextFile {
  readonly content: TextContent;
  readonly bytes: Buffer;
  readonly sha256: string;
}

export type TextReading =
  | ({ readonly kind: 'text' } & TextFile)
  | { readonly kind: 'absent' }
  | { readonly kind: 'problem'; readonly text: string };

/** What a place read, as text, or the sentence that says why it is none. */
export function textOf(path: string, reading: FileReading): TextReading {
  if (reading.kind === 'absent') return reading;
  if (reading.kind === 'refused') return { kind: 'problem', text: `${shownPath(path)} ${reading.reason}.` };
  const decoded = decodeText(reading.bytes);
  if (decoded.kind === 'refused') return { kind: 'problem', text: `${shownPath(path)} ${decoded.reason}.` };
  return { kind: 'text', content: decoded.content, bytes: reading.bytes, sha256: sha256(reading.bytes) };
}

/** The digest under which this session last saw the file: `absent` when it deleted it, `undefined` when it never saw it. */
export function lastSeen({ ledger }: ToolContext, path: string): string | undefined {
  for (let at = ledger.length - 1; at >= 0; at -= 1) {
    const observation = ledger[at];
    if (observation?.kind !== 'read' && observation?.kind !== 'write') continue;
    if (observation.path === path) return observation.sha256 ?? 'absent';
  }
  return undefined;
}

export type KnownFile = ({ readonly kind: 'known' } & TextFile) | { readonly kind: 'problem'; readonly text: string };

/** A text file for changing: it must have been read, and be what was read. */
export async function knownFile(context: ToolContext, path: string): Promise<KnownFile> {
  const current = textOf(path, await context.place.files.peek(path));
  if (current.kind === 'problem') return current;
  if (current.kind === 'absent')
    return {
      kind: 'problem',
      text: `${shownPath(path)} does not exist. Find it with glob, or make it with write_file.`,
    };
  const problem = unknownContent(context, path, current.sha256);
  return problem === undefined ? { ...current, kind: 'known' } : { kind: 'problem', text: problem };
}

/** Why a file of this digest may not be overwritten yet; `undefined` when it is as it was last seen. */
export function unknownContent(context: ToolContext, path: string, digest: string): string | undefined {
  const seen = lastSeen(context, path);
  if (seen === digest) return undefined;
  const call = `read_file ${JSON.stringify({ path })}`;
  return seen === undefined || seen === 'absent'
    ? `${shownPath(path)} was not read in this session. Call ${call} first.`
    : changedSince(path);
}

export function changedSince(path: string): string {
  return `${shownPath(path)} has changed since it was last read. Call read_file ${JSON.stringify({ path })} again, then repeat the change.`;
}
