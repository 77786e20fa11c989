/**
 * Things that stand under a sequence of names, as files stand in folders. Looking one sequence up costs its length, however
 * many others there are: two scopes of thousands of patterns are compared without comparing each with each.
 */
export interface NameTree<T> {
  readonly below: Map<string, NameTree<T>>;
  readonly here: T[];
}

export function emptyTree<T>(): NameTree<T> {
  return { below: new Map(), here: [] };
}

export function plant<T>(tree: NameTree<T>, names: readonly string[], item: T): void {
  let node = tree;
  for (const name of names) {
    const next = node.below.get(name) ?? emptyTree<T>();
    node.below.set(name, next);
    node = next;
  }
  node.here.push(item);
}

/** What stands at the names or above them. */
export function* above<T>(tree: NameTree<T>, names: readonly string[]): Generator<T> {
  yield* tree.here;
  let node = tree;
  for (const name of names) {
    const next = node.below.get(name);
    if (next === undefined) return;
    yield* next.here;
    node = next;
  }
}

/** What stands under the names, at any depth; not at them. */
export function* under<T>(tree: NameTree<T>, names: readonly string[]): Generator<T> {
  let node: NameTree<T> | undefined = tree;
  for (const name of names) {
    node = node.below.get(name);
    if (node === undefined) return;
  }
  const waiting = [...node.below.values()];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield* next.here;
    for (const child of next.below.values()) waiting.push(child);
  }
}
