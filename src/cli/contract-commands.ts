import type { Command } from 'commander';
import type { End } from './exit-codes.ts';
import { print, remarkOn } from './print.ts';
import { jsonText } from './render/json-text.ts';

interface LintWords {
  file?: string;
  stdin?: boolean;
  json?: boolean;
}

const WHAT_NEXT = `Have a valid contract done: remit run task.jsonc. Or let your client do it, in a
repository where Remit is set up as an MCP server: "Delegate the contract in
task.jsonc to Remit."`;

export function addContractCommands(program: Command, end: End): void {
  const contract = program
    .command('contract')
    .description('Write and check a TaskContractV1.')
    .addHelpText(
      'after',
      `\nExample:\n  remit contract new > task.jsonc\n  remit contract lint task.jsonc\n\n${WHAT_NEXT}`,
    );
  addLint(contract, end);
  addSchema(contract);
  addNew(contract);
}

function addLint(contract: Command, end: End): void {
  contract
    .command('lint')
    .description('Check a contract and name every problem at once. Exits with 0 when it is valid, else with 2.')
    .argument('[file]', 'the contract, JSON with or without comments; - is standard input')
    .option('--file <file>', 'the same as the argument')
    .option('--stdin', 'read standard input')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `\nPaths are read as relative to the root of the repository.\n\nExamples:\n  remit contract lint task.jsonc\n  remit contract lint --json - < task.json\n\n${WHAT_NEXT}`,
    )
    .action(async (argument: string | undefined, words: LintWords, command: Command) => {
      const sources = [argument, words.file, words.stdin ? '-' : undefined].filter((source) => source !== undefined);
      const [source] = sources;
      if (source === undefined || sources.length > 1)
        command.error('error: name one contract: a file, or - for standard input', { exitCode: 2 });
      const { lintSource } = await import('./lint-source.ts');
      end(await lintSource(source ?? '-', { json: words.json ?? false }));
    });
}

function addSchema(contract: Command): void {
  contract
    .command('schema')
    .description('Print the JSON Schema of a contract.')
    .addHelpText('after', '\nExample:\n  remit contract schema > task-contract.schema.json')
    .action(async () => {
      const { contractJsonSchema } = await import('../contract/index.ts');
      print(JSON.stringify(contractJsonSchema(), null, 2));
    });
}

function addNew(contract: Command): void {
  contract
    .command('new')
    .description('Print a contract to start from, made for this repository, with a comment on every field.')
    .option('--json', 'plain JSON, without comments')
    .addHelpText(
      'after',
      `\nExample:\n  remit contract new > task.jsonc\n\nReplace its two sentences, then check it: remit contract lint task.jsonc.\n${WHAT_NEXT}`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const { newContract, withComments } = await import('./new-contract.ts');
      const { findRoot } = await import('./repository-root.ts');
      const { directory, remark } = await findRoot(process.cwd());
      if (remark !== undefined) remarkOn(remark);
      const made = newContract(directory);
      print(json ? jsonText(made, 2) : withComments(made));
    });
}
