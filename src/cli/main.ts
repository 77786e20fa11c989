import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };

const program = new Command('remit')
  .description('Hand a coding agent a contract: what it may write, which commands may run, and what must be proven.')
  .showHelpAfterError('(remit --help shows every command)');

program
  .command('serve')
  .description('Serve the three tools to one MCP client over standard input and output.')
  .option('--root <directory>', 'a directory that the client may act in (repeatable)', collect, [])
  .option('--state-dir <directory>', 'where tasks and their worktrees are kept')
  .option('--log-level <level>', 'debug, info, warn or error')
  .action(async (options: { root: string[]; stateDir?: string; logLevel?: string }) => {
    const { serve } = await import('../mcp/index.ts');
    const { root, ...rest } = options;
    await serve({ roots: root, ...rest });
  });

program
  .command('version')
  .description('Print the version.')
  .option('--json', 'as JSON')
  .action(({ json }: { json?: boolean }) => {
    process.stdout.write(json ? `${JSON.stringify({ version: manifest.version })}\n` : `${manifest.version}\n`);
  });

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

await program.parseAsync();
