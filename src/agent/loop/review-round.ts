import { changesOf, type Observation } from '../../evidence/index.ts';
import { isAuditedRead } from '../../policy/index.ts';
import { type GateAnswer, judgeClaim } from '../../protocol/index.ts';
import type { Authority } from '../authority.ts';
import type { LanguageModel, Message, ModelUsage, ToolAnswer } from '../models/model.ts';
import type { Place, PlaceCommands } from '../place/place.ts';
import type { Tool } from '../tools/define-tool.ts';
import { type ToolOffer, toolsFor } from '../tools/registry.ts';
import { askModel } from './ask-model.ts';
import type { TurnListener } from './listener.ts';
import { runCalls } from './run-calls.ts';
import { REVIEWER_SYSTEM_TEXT } from './system-text.ts';

/** What a reviewer supplies; everything else is the author's to close. */
const REVIEW_GAPS: ReadonlySet<string> = new Set([
  'path_unread',
  'deletion_unseen',
  'path_unreviewed',
  'report_missing',
  'security_report_missing',
]);

const REVIEWER_TOOLS: ReadonlySet<string> = new Set(['read_file', 'ls', 'glob', 'grep', 'bash', 'review_report']);
const MOST_REQUESTS = 40;
const MOST_REMINDERS = 2;

export interface ReviewSurroundings {
  readonly model: LanguageModel;
  readonly place: Place;
  readonly authority: Authority;
  /** The author's, to which the reviewer's reads and reports are added as they happen. */
  readonly ledger: readonly Observation[];
  readonly task: string;
  readonly listener: TurnListener;
  readonly signal: AbortSignal;
  observe(observations: readonly Observation[]): Promise<void>;
  used(usage: ModelUsage): Promise<void>;
  /** Whether the budget lets the model be asked once more. */
  mayGoOn(): boolean;
}

/** Whether nothing is missing but what a reviewer supplies. */
export function awaitsReview(gate: GateAnswer): boolean {
  return gate.kind === 'missing' && gate.gaps.every(({ code }) => REVIEW_GAPS.has(code));
}

function reviewerTools({ tools }: ToolOffer): readonly Tool[] {
  return tools.filter(({ name }) => REVIEWER_TOOLS.has(name));
}

/** A deletion is seen only through Git, so it may run what is known to change nothing. */
function readingCommands({ root, commands }: Place): PlaceCommands {
  if (commands.kind === 'withheld') return commands;
  const refused = {
    kind: 'refused',
    reason: 'is refused: a reviewer runs only commands that are known to change nothing, such as git diff.',
  } as const;
  return {
    ...commands,
    run: async (argv, cwd, limits) => (isAuditedRead(argv, cwd, root) ? commands.run(argv, cwd, limits) : refused),
  };
}

/** Whoever judges here may know what the author read, too: a report must first stand by what the reviewer saw itself. */
function withOwnEyes(authority: Authority, root: string): Authority {
  return {
    gate: (ledger) => authority.gate(ledger),
    async claim(claim, seen) {
      const own = judgeClaim(claim, seen, root);
      return own.kind === 'refused' ? own : authority.claim(claim, seen);
    },
  };
}

/**
 * Another pair of eyes: a conversation of its own, without tools that change anything, that ends with an accepted report. Only
 * what it reads itself counts for it. Answers how the gate stands afterwards.
 */
export async function reviewRound(surroundings: ReviewSurroundings): Promise<GateAnswer> {
  const { model, authority, signal, listener } = surroundings;
  const seen: Observation[] = surroundings.ledger.filter(({ kind }) => kind === 'write');
  const messages: Message[] = [{ role: 'user', text: reviewRequest(surroundings) }];
  const place = { ...surroundings.place, commands: readingCommands(surroundings.place) };
  const ownEyes = withOwnEyes(authority, place.root);
  const tools = reviewerTools(toolsFor(place));
  let reminders = 0;
  for (let request = 0; request < MOST_REQUESTS && surroundings.mayGoOn(); request += 1) {
    const answer = await askModel(model, { system: REVIEWER_SYSTEM_TEXT, tools, messages }, listener, signal);
    await surroundings.used(answer.usage);
    messages.push({ role: 'assistant', parts: answer.parts });
    const calls = answer.parts.filter((part) => part.kind === 'call');
    if (calls.length > 0) {
      const results = await runCalls(calls, {
        ...surroundings,
        place,
        tools,
        authority: ownEyes,
        ledger: seen,
        intend: async () => {},
        learn,
      });
      messages.push({ role: 'tool', results });
    }
    const gate = await authority.gate(surroundings.ledger);
    if (!awaitsReview(gate)) return gate;
    if (calls.length > 0) continue;
    reminders += 1;
    if (reminders > MOST_REMINDERS) return gate;
    messages.push({
      role: 'user',
      text: 'Your review counts only with review_report. Read what is left, then call it.',
    });
  }
  return authority.gate(surroundings.ledger);

  async function learn(_answer: ToolAnswer, observations: readonly Observation[]): Promise<void> {
    seen.push(...observations);
    await surroundings.observe(observations);
  }
}

function reviewRequest({ ledger, task }: ReviewSurroundings): string {
  const changes = changesOf(ledger).paths;
  const security = [...new Set(changes.flatMap((change) => change.security))];
  const lines = changes.map(({ path, change }) => `- ${path} (${change})`);
  return [
    'The task that the change is for:',
    task,
    '',
    'Changed paths:',
    ...lines,
    '',
    'Review the change and end with review_report of kind "review".',
    ...(security.length === 0
      ? []
      : [`It touches ${security.join(', ')}: before that, report with kind "security" as well.`]),
  ].join('\n');
}
