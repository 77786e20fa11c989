import type { TaskDetail } from '../../app/index.ts';
import type { Style } from '../terminal.ts';
import { paragraph, quoted } from './foreign-text.ts';

type Interaction = TaskDetail['interactions'][number];

interface Offered {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

/** What the worker asks, in its own words behind a margin, and which answers it offers. */
export function questionLines({ kind, request }: Interaction, style: Style, width: number): string[] {
  const { title, input } = request;
  // Of a permission everything is shown: what a person does not see must not be permitted.
  const isShown = kind === 'permission' || saysMore(input, title);
  const about = [title, isShown ? shownInput(input) : undefined].filter((text) => typeof text === 'string');
  const options = offeredOptions(request).filter((option) => option.kind !== 'allow_always');
  return [
    kind === 'permission' ? 'The worker asks whether it may:' : 'The worker asks:',
    ...quoted(about.join('\n'), style, width),
    ...(options.length === 0 ? [] : ['Its answers (--option OPTION):']),
    ...options.map(({ id, name }) => paragraph('  ', name === id ? id : `${id}  ${name}`, width)),
  ];
}

/** The options of a request; the wire promises nothing about what a request holds. */
export function offeredOptions(request: Interaction['request']): Offered[] {
  const options: unknown = request['options'];
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: Partial<Record<keyof Offered, unknown>> | null) =>
    typeof option?.id === 'string'
      ? [{ id: option.id, name: String(option.name ?? option.id), kind: String(option.kind ?? '') }]
      : [],
  );
}

/** An agent that sends its question as a tool's input says it twice, with the answers that are listed anyhow. */
function saysMore(input: unknown, title: unknown): boolean {
  return (input as { question?: unknown } | null | undefined)?.question !== title;
}

function shownInput(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined;
  return typeof input === 'string' ? input : JSON.stringify(input, null, 2);
}
