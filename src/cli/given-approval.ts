import { RemitError, visibleLine } from '../base/index.ts';

/** Who approves: the person when asked, or the command line. */
export type Approval =
  | { readonly kind: 'ask' }
  | { readonly kind: 'all' }
  | { readonly kind: 'listed'; readonly ids: readonly string[] };

interface Given {
  readonly approve?: readonly string[];
  readonly yes?: boolean;
}

interface Criterion {
  readonly id: string;
  readonly evidence: 'automated' | 'review';
}

/** Reads `--yes` and `--approve`. Throws `invalid_request` for both at once, and for what is no criterion of the contract. */
export function readApproval({ approve = [], yes }: Given, criteria: readonly Criterion[]): Approval {
  if (yes === true && approve.length > 0) {
    throw new RemitError('invalid_request', '--yes approves every review criterion: give it, or --approve for some.');
  }
  if (yes === true) return { kind: 'all' };
  if (approve.length === 0) return { kind: 'ask' };
  const unknown = approve.filter((id) => !criteria.some((criterion) => criterion.id === id));
  if (unknown.length === 0) return { kind: 'listed', ids: approve };
  const known = criteria.filter(({ evidence }) => evidence === 'review').map(({ id }) => id);
  throw new RemitError(
    'invalid_request',
    `--approve ${unknown.map(visibleLine).join(', ')}: the contract has no such criterion; its review criteria are: ${known.join(', ') || 'none'}.`,
    { details: { required_review_criteria: known } },
  );
}
