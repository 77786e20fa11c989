import { isAbsolute, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { LOG_LEVELS, visibleLine } from '../base/index.ts';
import { remarkOn } from './print.ts';

interface ServeWords {
  root: string[];
  stateDir?: string;
  logLevel?: string;
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the three tools to one MCP client over standard input and output.')
    .option('--root <directory>', 'a directory that the client may act in (repeatable)', collectAbsolute)
    .option('--state-dir <directory>', 'where tasks and their worktrees are kept', requireAbsolute)
    .addOption(new Option('--log-level <level>', 'how much the log says').choices(LOG_LEVELS))
    .addHelpText('after', '\nExample:\n  remit serve --root ~/code/shop --log-level debug')
    .action(async ({ root = [], ...rest }: Partial<ServeWords>) => {
      if (process.stdin.isTTY) remarkOn('waiting for an MCP client on standard input; Ctrl-C ends');
      const { serve } = await import('../mcp/index.ts');
      await serve({ roots: root, ...rest });
    });
}

function collectAbsolute(value: string, earlier: string[] = []): string[] {
  return [...earlier, requireAbsolute(value)];
}

/** A client starts servers in a folder of its own choosing, so a relative path would mean another place in each. */
function requireAbsolute(value: string): string {
  if (isAbsolute(value)) return value;
  const advice = value === '' || value.startsWith('~') ? '.' : `, for example ${visibleLine(resolve(value))}.`;
  throw new InvalidArgumentError(`Write an absolute path${advice}`);
}
