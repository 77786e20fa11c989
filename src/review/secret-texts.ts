import { RemitError } from '../base/index.ts';
import { scanForSecrets } from './secret-scan.ts';

/** Texts of a caller that would be stored or committed: one with what looks like a credential is refused, unrepeated. */
export async function refuseSecrets(texts: readonly { readonly what: string; readonly text: string }[]): Promise<void> {
  const { findings } = await scanForSecrets(
    texts.map(({ what, text }) => ({ path: what, content: Buffer.from(text) })),
  );
  const [found] = findings;
  if (found === undefined) return;
  throw new RemitError(
    'secret_detected',
    `${found.path} holds what looks like a credential (${found.rule}), and it would be stored: leave it out, then try again.`,
  );
}
