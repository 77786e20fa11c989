import type { Command } from 'commander';
import { canonicalJson } from '../base/index.ts';
import { print } from './print.ts';

export function addWorkerCommands(program: Command): void {
  const worker = program
    .command('worker')
    .description('See what the bundled worker is made of.')
    .addHelpText('after', '\nExample:\n  remit worker tools --json');
  addTools(worker);
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
