import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { print } from './print.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('Print the version.')
    .option('--json', 'as JSON, with the version of Node and the platform')
    .addHelpText('after', '\nExample:\n  remit version --json')
    .action(({ json }: { json?: boolean }) => {
      const facts = { version: manifest.version, node: process.versions.node, platform: process.platform };
      print(json ? JSON.stringify(facts) : manifest.version);
    });
}
