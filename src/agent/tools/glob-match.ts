import { RemitError } from '../../base/index.ts';
import { compileScope } from '../../contract/index.ts';

export type GlobMatch =
  | { readonly kind: 'matcher'; matches(path: string): boolean }
  | { readonly kind: 'problem'; readonly reason: string };

/** Patterns mean what they mean in a contract (`*`, `**`, `?`, `{a,b}`; a folder means all below it), and cost as little. */
export function globMatch(pattern: string): GlobMatch {
  try {
    const scope = compileScope({ write_scope: [pattern.replace(/^\.\//, '')], forbidden_scope: [] });
    return { kind: 'matcher', matches: (path) => scope.classify(path).kind === 'in_scope' };
  } catch (error) {
    if (error instanceof RemitError) return { kind: 'problem', reason: error.message };
    throw error;
  }
}
