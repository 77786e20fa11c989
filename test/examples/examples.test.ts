import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { makeWorkshop } from '../journeys/workshop.ts';
import { SOLUTIONS } from './solutions.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = readdirSync(join(ROOT, 'examples')).flatMap((name) => /^(.*)\.jsonc$/.exec(name)?.[1] ?? []);

/** The contract as `remit contract lint` accepts it; it throws what lint says when it does not. */
function lintedContract(name: string): Record<string, unknown> {
  const words = [join(ROOT, 'src/cli/main.ts'), 'contract', 'lint', '--json', join(ROOT, `examples/${name}.jsonc`)];
  const printed = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words]);
  return JSON.parse(printed.toString('utf8')).contract;
}

async function delegated(name: string, steps: readonly Step[]) {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [...steps] }] } });
  workshop.git('rm', '-qr', '.');
  cpSync(join(ROOT, 'examples/project'), workshop.repository, { recursive: true });
  workshop.git('add', '.');
  workshop.git('commit', '-qm', 'Turn titles into slugs');
  const supervisor = await workshop.supervisor();
  return { workshop, supervisor, shown: await supervisor.delegate(name, lintedContract(name)) };
}

test('each example has work that fulfils it, and work that does not', () => {
  expect(Object.keys(SOLUTIONS).sort()).toEqual(NAMES.sort());
  expect(NAMES.length).toBeGreaterThan(0);
});

describe.each(Object.entries(SOLUTIONS))('%s', (name, { fulfils, fails, failure }) => {
  test('is committed when it is fulfilled', async () => {
    const { workshop, supervisor, shown } = await delegated(name, fulfils);
    expect(shown['state']).toBe('review_required');
    const done = await supervisor.finalize(shown);
    expect(done['state']).toBe('completed');
    expect(workshop.git('rev-list', '--count', `main..remit/${name}`)).toBe('1');
    const { sections } = await supervisor.inspect(name, { include: ['acceptance_evidence'] });
    expect(sections.acceptance_evidence.every(({ approved }: { approved: boolean }) => approved)).toBe(true);
  });

  test('is not committed when it is not', async () => {
    const { workshop, supervisor, shown } = await delegated(name, fails);
    if ('phase' in failure) expect(shown).toMatchObject({ state: 'paused', ...failure });
    else await expect(supervisor.finalize(shown)).rejects.toMatchObject(failure);
    expect(workshop.git('rev-list', '--count', `main..remit/${name}`)).toBe('0');
  });
});
