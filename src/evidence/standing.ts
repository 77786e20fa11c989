import type { Change } from './changes.ts';
import type { WriteObservation } from './observation.ts';

/** What stands at a path that differs from the base, by whoever looked at the disk or at a tree made of it. */
export type Standing =
  | { readonly kind: 'deleted' }
  /** `sha256`: of the bytes, of a link of its target. */
  | { readonly kind: 'present'; readonly sha256: string; readonly entry?: WriteObservation['entry'] }
  | { readonly kind: 'unreadable' };

/** Whether the ledger knows exactly this; if not, something was changed that nobody recorded. */
export function isKnown(known: Change | undefined, now: Standing): boolean {
  if (known === undefined) return false;
  if (now.kind === 'deleted' || known.change === 'deleted') return now.kind === known.change;
  if (now.kind === 'unreadable') return known.sha256 === undefined;
  return known.sha256 === now.sha256 && known.entry === now.entry;
}
