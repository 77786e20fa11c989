import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { ModelsReport } from '../agent/index.ts';
import { canonicalJson, RemitError, visibleLine } from '../base/index.ts';
import { print } from './print.ts';
import { jsonText } from './render/json-text.ts';

export function addWorkerCommands(program: Command): void {
  const worker = program
    .command('worker')
    .description(
      'Be the bundled worker: an ACP agent on standard input and output, for any ACP host. With a further word: see what it is made of.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  REMIT_MODEL=openai-compatible:gpt-5 REMIT_BASE_URL=https://api.openai.com/v1 remit worker\n  remit worker models\n  remit worker tools --json',
    );
  addTools(worker);
  addModels(worker);
}

function addTools(worker: Command): void {
  worker
    .command('tools')
    .description("Print the contracts of the bundled worker's tools.")
    .option('--json', 'as canonical JSON (RFC 8785): a list of name, readOnly, description and inputSchema')
    .addHelpText('after', '\nExample:\n  remit worker tools --json')
    .action(async ({ json }: { json?: boolean }) => {
      const { toolContracts } = await import('../agent/index.ts');
      const contracts = toolContracts();
      if (json) return print(canonicalJson(contracts));
      const widest = Math.max(...contracts.map(({ name }) => name.length));
      print(contracts.map((tool) => `${tool.name.padEnd(widest)}  ${tool.description}`).join('\n'));
    });
}

function addModels(worker: Command): void {
  worker
    .command('models')
    .description(
      'Say which models are configured for the bundled worker, where they are reached, and where their keys come from.',
    )
    .option('--worker <name>', 'an entry of the settings file with the adapter builtin')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  REMIT_MODEL=deepseek:deepseek-v4-flash remit worker models')
    .action(async ({ json, worker: name }: { json?: boolean; worker?: string }) => {
      const { describeBundledWorker } = await import('../app/index.ts');
      const sources = { flags: {}, environment: process.env, homeDirectory: homedir() };
      const found = describeBundledWorker(sources, name);
      if (found.kind === 'none') throw new RemitError('worker_unavailable', found.reason);
      print(json ? jsonText({ worker: found.name, ...found.report }) : modelsText(found.name, found.report));
    });
}

function modelsText(name: string, { author, reviewer, effort, budget, price, context_tokens }: ModelsReport): string {
  const limits = Object.entries(budget).map(([what, most]) => `${most} ${what}`);
  const rows = [
    ['worker', name],
    ['model', modelText(author)],
    ...(reviewer ? [['reviewer', modelText(reviewer)]] : []),
    ['effort', effort ?? 'as the task says'],
    ['budget', limits.length === 0 ? 'none' : limits.join(', ')],
    ...(price ? [['price', `${price.input} in, ${price.output} out ${price.currency} a million tokens`]] : []),
    ['context', `${context_tokens} tokens`],
  ];
  return rows.map(([what = '', said = '']) => `${what.padEnd(10)}${visibleLine(said)}`).join('\n');
}

function modelText({ model, endpoint, key }: ModelsReport['author']): string {
  return `${model} at ${endpoint}, ${key === null ? 'without a key' : `key from ${key}`}`;
}
