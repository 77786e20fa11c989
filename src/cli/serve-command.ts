import { type Command, Option } from 'commander';
import { LOG_LEVELS } from '../base/index.ts';

interface ServeWords {
  root: string[];
  stateDir?: string;
  logLevel?: string;
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the three tools to one MCP client over standard input and output.')
    .option('--root <directory>', 'a directory that the client may act in (repeatable)', collect)
    .option('--state-dir <directory>', 'where tasks and their worktrees are kept')
    .addOption(new Option('--log-level <level>', 'how much the log says').choices(LOG_LEVELS))
    .addHelpText('after', '\nExample:\n  remit serve --root ~/code/shop --log-level debug')
    .action(async ({ root = [], ...rest }: Partial<ServeWords>) => {
      const { serve } = await import('../mcp/index.ts');
      await serve({ roots: root, ...rest });
    });
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
