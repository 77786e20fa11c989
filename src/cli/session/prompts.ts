import type { Detach } from '../detach.ts';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Asks on the terminal. Every answer is undefined when there is none: the person leaves, or the question has become idle. */
export interface Prompts {
  confirm(question: string, signal: AbortSignal): Promise<boolean | undefined>;
  choose<Value extends string>(
    question: string,
    choices: readonly Choice<Value>[],
    signal: AbortSignal,
  ): Promise<Value | undefined>;
  /** A line of text; empty when the person thought better of it. */
  write(question: string, signal: AbortSignal): Promise<string | undefined>;
}

/** `output` is a terminal, as standard input is. */
export async function openPrompts(output: NodeJS.WriteStream, detach: Detach): Promise<Prompts> {
  const { confirm, isCancel, select, settings, text } = await import('@clack/prompts');
  // Escape is pressed by habit; only Ctrl-C leaves, and Ctrl-D, which would close the input under an open question.
  settings.aliases.delete('escape');
  settings.aliases.set('\u0004', 'cancel');
  // Bars before each line would look like the margin before words that are not ours.
  const common = (signal: AbortSignal) => ({
    output,
    withGuide: false,
    signal: AbortSignal.any([signal, detach.signal]),
  });
  const answered = <Value>(answer: unknown, signal: AbortSignal): Value | undefined => {
    if (!isCancel(answer)) return answer as Value;
    if (!signal.aborted && !detach.isAsked) detach.ask();
    return undefined;
  };
  return {
    async confirm(message, signal) {
      // Enter alone approves nothing.
      return answered<boolean>(await confirm({ ...common(signal), message, initialValue: false }), signal);
    },
    async choose<Value extends string>(message: string, choices: readonly Choice<Value>[], signal: AbortSignal) {
      const options = choices.map(({ value, label, hint }) => ({
        value: value as string,
        label,
        ...(hint !== undefined && { hint }),
      }));
      return answered<Value>(await select<string>({ ...common(signal), message, options }), signal);
    },
    async write(message, signal) {
      return answered<string>((await text({ ...common(signal), message })) ?? '', signal)?.trim();
    },
  };
}
