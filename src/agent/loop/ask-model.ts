import { setTimeout as sleep } from 'node:timers/promises';
import { type LanguageModel, type ModelEvent, ModelFailure, type ModelRequest } from '../models/model.ts';
import type { TurnListener } from './listener.ts';

export type Answer = Extract<ModelEvent, { kind: 'end' }>;

const ATTEMPTS = 6;
const FIRST_WAIT_MS = 500;
/** Whoever asks for longer than this is not waited for. */
const LONGEST_WAIT_MS = 120_000;

/** Hears an answer while it comes. `unsaid`: what was told of it does not count, it is asked for again. */
type Hearer = Pick<TurnListener, 'text' | 'reasoning' | 'unsaid'>;

/**
 * One whole answer. What passes is asked again, with waits that double or as the provider says; of an answer that was cut
 * nothing counts. Throws `ModelFailure`, or the signal's reason.
 */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  hearer: Hearer | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await answerOf(model, request, hearer, signal);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== 'transient') throw error;
      const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      if (waitMs > LONGEST_WAIT_MS)
        throw new ModelFailure('final', `${error.message} It asks to wait ${Math.ceil(waitMs / 1000)} s: resume then.`);
      if (attempt === ATTEMPTS)
        throw new ModelFailure(
          'final',
          `${error.message} It was asked ${ATTEMPTS} times: resume when it answers again.`,
        );
      hearer?.unsaid();
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

async function answerOf(
  model: LanguageModel,
  request: ModelRequest,
  hearer: Hearer | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  for await (const event of model.stream(request, signal)) {
    if (event.kind === 'end') return event;
    if (event.kind !== 'call') hearer?.[event.kind](event.text);
  }
  throw new ModelFailure('transient', 'The model ended without an answer.');
}
