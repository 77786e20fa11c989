import { eventText } from './events.ts';

const MAX_MESSAGE_CHARACTERS = 16 * 1024;

/** The agent's messages of one prompt, of which only the last is kept whole (and bounded). */
export class Transcript {
  #open = '';
  #last = '';

  /** Takes a piece of the message that is being said. */
  say(piece: string): void {
    if (this.#open.length < MAX_MESSAGE_CHARACTERS) this.#open += piece.slice(0, MAX_MESSAGE_CHARACTERS);
  }

  /** Something else began: the message is complete. Answers it, when there was one. */
  close(hide: (text: string) => string): string | undefined {
    if (this.#open.trim() === '') return undefined;
    this.#last = eventText(hide(this.#open).trim());
    this.#open = '';
    return this.#last;
  }

  /** The last complete message; empty when nothing was said. */
  get last(): string {
    return this.#last;
  }
}
