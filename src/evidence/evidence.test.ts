import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendReceipt, bindAcceptance, findBrokenReceipt, type Receipt, type ReceiptDraft } from './index.ts';

const draft: fc.Arbitrary<ReceiptDraft> = fc.record({
  at: fc.constant('2026-01-01T00:00:00.000Z'),
  source: fc.constantFrom('host', 'worker'),
  kind: fc.constantFrom('permission', 'read', 'write', 'command'),
  subject: fc.string({ maxLength: 20, unit: 'grapheme' }),
  success: fc.boolean(),
  facts: fc.dictionary(
    fc.constantFrom('a', 'b', 'exit'),
    fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.boolean()),
  ),
});

function ledgerOf(drafts: readonly ReceiptDraft[]): Receipt[] {
  const ledger: Receipt[] = [];
  for (const next of drafts) ledger.push(appendReceipt(ledger.at(-1), next));
  return ledger;
}

describe('a ledger', () => {
  test('is whole as it was written', () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 8 }), (drafts) => {
        expect(findBrokenReceipt(ledgerOf(drafts))).toBeUndefined();
      }),
    );
  });

  test('shows the first receipt that was changed, lost or swapped', () => {
    fc.assert(
      fc.property(
        fc.array(draft, { minLength: 2, maxLength: 8 }),
        fc.nat(),
        fc.constantFrom('flip', 'drop', 'swap'),
        (drafts, at, how) => {
          const ledger = ledgerOf(drafts);
          const place = at % (ledger.length - 1);
          const victim = ledger[place] as Receipt;
          if (how === 'flip') ledger[place] = { ...victim, success: !victim.success };
          if (how === 'drop') ledger.splice(place, 1);
          if (how === 'swap') ledger.splice(place, 2, ledger[place + 1] as Receipt, victim);
          expect(findBrokenReceipt(ledger)).toBe(place + 1);
        },
      ),
    );
  });
});

describe('acceptance', () => {
  test('never counts a criterion without its proof or approval', () => {
    const ids = ['a', 'b', 'c'];
    const criterion = fc.record({
      id: fc.constantFrom(...ids),
      evidence: fc.constantFrom('automated' as const, 'review' as const),
    });
    const proof = fc.record({ id: fc.string(), proves: fc.subarray(ids), passed: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(criterion, { selector: ({ id }) => id }),
        fc.array(proof),
        fc.subarray(ids),
        (criteria, proofs, approved) => {
          for (const row of bindAcceptance(criteria, proofs, approved).rows) {
            const proving = proofs.filter(({ proves }) => proves.includes(row.criterionId));
            const met =
              row.evidence === 'review'
                ? approved.includes(row.criterionId)
                : proving.length > 0 && proving.every(({ passed }) => passed);
            expect(row.approved).toBe(met);
          }
        },
      ),
    );
  });

  test('of one command carries its digest, of several none', () => {
    const criteria = [{ id: 'a', evidence: 'automated' as const }];
    const one = { id: 'one', proves: ['a'], passed: true, sha256: 'f'.repeat(64), outputBytes: 3 };
    expect(bindAcceptance(criteria, [one], []).rows).toEqual([
      { criterionId: 'a', evidence: 'automated', approved: true, source: 'one', sha256: one.sha256, outputBytes: 3 },
    ]);
    expect(bindAcceptance(criteria, [one, { ...one, id: 'two' }], []).rows[0]).not.toHaveProperty('sha256');
  });
});
