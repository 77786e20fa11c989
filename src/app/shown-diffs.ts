import { visibleText } from '../base/index.ts';
import { diffPatch, type Git } from '../git/index.ts';
import { openTaskWorkspace, type Review, type TaskPlaces, type TaskRecord } from '../task/index.ts';

/**
 * Diffs as they are shown. The last one is kept, at most some 32 MiB of diff: a reviewer reads it page by page, and each
 * page would cost Git the whole. Two trees always have the same diff, so what is kept is never stale.
 */
export class ShownDiffs {
  readonly #tools: { readonly git: Git; readonly places: TaskPlaces };
  #last: { readonly key: string; readonly text: Promise<string> } | undefined;

  constructor(tools: { readonly git: Git; readonly places: TaskPlaces }) {
    this.#tools = tools;
  }

  /** The reviewed tree's diff against the base, escaped; where it is too long to be held, its middle is said to be missing. */
  read(record: TaskRecord, review: Review): Promise<string> {
    const key = `${record.task_id} ${record.base_commit} ${review.tree}`;
    if (this.#last?.key === key) return this.#last.text;
    const text = this.#readNow(record, review);
    this.#last = { key, text };
    text.catch(() => {
      if (this.#last?.text === text) this.#last = undefined;
    });
    return text;
  }

  async #readNow(record: TaskRecord, review: Review): Promise<string> {
    const workspace = await openTaskWorkspace(record, this.#tools);
    const { diff, truncated, totalBytes } = await diffPatch(this.#tools.git, workspace, review.tree);
    const text = visibleText(diff.toString('utf8'));
    if (!truncated) return text;
    return `[This diff has ${totalBytes} bytes, SHA-256 ${review.diff_sha256}; at a line "[... bytes left out]" its middle is missing.]\n${text}`;
  }
}
