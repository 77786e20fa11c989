/** The parts of the pages under docs/ that are made from the source, so that they cannot say anything else than it. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { OPERATIONS } from '../../src/app/index.ts';
import { SETTING_NAMES, SETTINGS } from '../../src/app/settings.ts';
import { workerSchema } from '../../src/app/worker-configuration.ts';
import { ERROR_CODES } from '../../src/base/index.ts';
import { contractJsonSchema } from '../../src/contract/index.ts';
import { SECURITY_RULES, SECURITY_TOPICS } from '../../src/evidence/security-paths.ts';
import { FAMILIES } from '../../src/worker/adapters.ts';
import { clientSections } from './clients.ts';
import { commandJson } from './command-json.ts';
import { familySections } from './family-sections.ts';
import { markdownTable, type Schema, schemaTable } from './schema-table.ts';
import { toolContractText } from './tool-contracts.ts';

export const BLOCKS: Readonly<Record<string, () => string>> = {
  contract: () => schemaTable(contractJsonSchema() as Schema),
  ...Object.fromEntries(OPERATIONS.map((operation) => [operation.name, () => operationText(operation)])),
  errors: errorTable,
  settings: settingTable,
  worker: () => schemaTable(workerKinds().agent),
  bundled_worker: () => schemaTable(workerKinds().bundled),
  security_rules: securityRules,
  families: () => familySections(FAMILIES),
  commands: () => commandHelp(),
  command_json: commandJson,
  clients: clientSections,
  tool_contracts: toolContractText,
};

type Operation = (typeof OPERATIONS)[number];

function operationText({ inputSchema, outputSchema, annotations }: Operation): string {
  const hints = Object.entries(annotations).filter(([, value]) => value);
  return [
    `Annotations: ${hints.map(([name]) => `\`${name}\``).join(', ')}.`,
    '**Input**',
    schemaTable(inputSchema as Schema, { elsewhere: { contract: '[TaskContractV1](contract.md)' } }),
    '**Answer**',
    schemaTable(outputSchema as Schema, {
      required: false,
      elsewhere: { 'sections.status': 'the view of the task, as `reasonix_control` answers' },
    }),
  ].join('\n\n');
}

function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, advice]) => [
    `\`${code}\``,
    advice.retryable ? 'yes' : 'no',
    `\`${advice.next_action}\``,
  ]);
  return markdownTable(['Code', 'Retryable', 'Next action'], rows);
}

/** Of the flags only those that `serve` takes; the others are given by variable or file. */
function settingTable(): string {
  const flags = new Set([...helpOf(['serve']).matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag));
  const rows = SETTING_NAMES.map((name) => {
    const setting: {
      flag?: string;
      variable?: string;
      older?: { variable: string };
      variablesOnly?: true;
      fallback: string;
    } = SETTINGS[name];
    const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``);
    return [
      setting.variablesOnly ? '' : code(name),
      code(flags.has(setting.flag ?? '') ? setting.flag : undefined),
      [code(setting.variable), code(setting.older?.variable)].filter(Boolean).join(', '),
      z.toJSONSchema(SETTINGS[name].schema, { io: 'input' }).description ?? '',
      setting.fallback,
    ];
  });
  return markdownTable(['In the file', 'Flag', 'Variables', 'Meaning', 'Default'], rows);
}

function workerKinds(): { agent: Schema; bundled: Schema } {
  const { oneOf = [], anyOf = [] } = z.toJSONSchema(workerSchema, { io: 'input', reused: 'inline' }) as Schema & {
    oneOf?: Schema[];
  };
  const [agent, bundled] = [...oneOf, ...anyOf];
  if (agent === undefined || bundled === undefined) throw new Error('a worker has two kinds of entry');
  return { agent, bundled };
}

/** The rules themselves, since words about them would say less or more. */
function securityRules(): string {
  const rows = SECURITY_TOPICS.map((topic) => {
    const { words, name, text } = SECURITY_RULES[topic];
    return [
      topic,
      ...[words, name, text].map((rule) => (rule === undefined ? '' : `\`${rule.source.replaceAll('|', '\\|')}\``)),
    ];
  });
  return markdownTable(['Topic', 'Words of the path', 'Name of the file', 'Text put in or taken out'], rows);
}

const COMMAND = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** What `--help` of the command prints, and below it that of each of its subcommands. */
function commandHelp(words: readonly string[] = []): string {
  const help = helpOf(words);
  const title = words.length === 0 ? [] : [`${'#'.repeat(words.length + 1)} remit ${words.join(' ')}`];
  const pages = subcommandsIn(help).map((name) => commandHelp([...words, name]));
  return [...title, fenced(help), ...pages].join('\n\n');
}

/** The names in the list of commands, which ends with an empty line. */
function subcommandsIn(help: string): string[] {
  const list = help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name = '']) => (name === 'help' ? [] : [name]));
}

const fenced = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

function helpOf(words: readonly string[]): string {
  // Without a terminal commander wraps at 80 columns, everywhere alike.
  const options = {
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 30_000,
  } as const;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', COMMAND, ...words, '--help'],
    options,
  );
  if (status !== 0) throw new Error(`remit ${words.join(' ')} --help failed: ${stderr}`);
  return stdout;
}

const BLOCK = /(<!-- generated: ([a-z_]+) -->)[\s\S]*?(<!-- end -->)/g;

/** A page with its generated parts made anew; everything else stays. A part of an unknown name is an error. */
export function refreshPage(page: string): string {
  return page.replaceAll(BLOCK, (_, begin: string, name: string, end: string) => {
    const block = BLOCKS[name];
    if (block === undefined) throw new Error(`there is no generated part called ${name}`);
    return `${begin}\n\n${block()}\n\n${end}`;
  });
}

export function blocksIn(page: string): string[] {
  return [...page.matchAll(BLOCK)].map(([, , name = '']) => name);
}
