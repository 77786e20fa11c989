import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { LOG_LEVELS } from '../base/index.ts';

/** Gives a command the options by which a person says where tasks are kept and how much is logged. */
export function addDeskOptions(command: Command): Command {
  return command
    .option('--state-dir <directory>', 'where tasks and their worktrees are kept', absoluteFolder)
    .addOption(new Option('--log-level <level>', 'how much the log says').choices(LOG_LEVELS));
}

/** A person's relative path means the folder that the person stands in. */
function absoluteFolder(value: string): string {
  if (value === '') throw new InvalidArgumentError('Write the path of a directory.');
  return resolve(value);
}
