/** What docs/workers.md says of each family of agents, from the table that Remit itself goes by. */
import type { Family, HomeFile } from '../../src/worker/families/family.ts';

export function familySections(families: Readonly<Record<string, Family>>): string {
  return Object.entries(families)
    .map(([adapter, family]) => section(adapter, family))
    .join('\n\n');
}

/** The one worker that is told its model instead of its program. */
const BUILTIN_ENTRY = {
  adapter: 'builtin',
  model: 'openai-compatible:gpt-5',
  baseUrl: 'https://api.openai.com/v1',
  apiKeyEnv: 'OPENAI_API_KEY',
};

function section(adapter: string, family: Family): string {
  const name = adapter === 'acp' ? 'mine' : adapter;
  const entry = adapter === 'builtin' ? BUILTIN_ENTRY : { adapter, command: family.command };
  const configuration = { worker: name, workers: { [name]: entry } };
  const facts = [
    ['Get one', sentence(family.install)],
    ['Log in', sentence(family.login)],
    ['Asks', family.notes.asks],
    ['Hidden in the repository', list(family.repositorySettings)],
    ['Switched off', family.notes.switchedOff],
    ['Sees of the host’s variables', list(family.passes)],
    ['Copied from the home', list(family.files.map(placeOf))],
    ['Started with', list(argumentsOf(family))],
    ['Remit sets', list(Object.keys(family.environment))],
    ['Lost', family.notes.lost],
  ];
  return [
    `### ${family.title}`,
    `\`\`\`json\n${JSON.stringify(configuration)}\n\`\`\``,
    facts.map(([head, text]) => `- **${head}:** ${text}`).join('\n'),
  ].join('\n\n');
}

/** As one would type them. */
function argumentsOf(family: Family): string[] {
  const words = family.arguments({ network: true });
  return words.length === 0 ? [] : [words.join(' ')];
}

function list(words: readonly string[]): string {
  return words.length === 0 ? 'nothing.' : `${words.map((word) => `\`${word}\``).join(', ')}.`;
}

function placeOf({ path, root }: HomeFile): string {
  return root.variable === undefined ? `~/${path}` : `$${root.variable}/${path}`;
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
