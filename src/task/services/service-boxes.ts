import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '../../policy/index.ts';
import type { StartOptions } from '../../process/index.ts';
import {
  type CommandOptions,
  type CommandResult,
  type SandboxProfile,
  verificationEnvironment,
} from '../../sandbox/index.ts';
import type { TaskTools } from '../tools.ts';

/** Where effects for one worker happen: boxes with its mounts, but without its home, its network and its key. */
export interface ServiceBoxes {
  launchHelper(): Promise<StartOptions>;
  run(run: Run, cwd: string, options: CommandOptions): Promise<CommandResult>;
}

/** `boxFor`: the worker's own box for a program that is to be visible in it. */
export function serviceBoxes(
  boxFor: (command: readonly string[]) => SandboxProfile,
  facts: { readonly worktree: string; readonly home: string },
  tools: TaskTools,
): ServiceBoxes {
  const box = (command: readonly string[], more: Partial<SandboxProfile>): SandboxProfile => {
    const profile = boxFor(command);
    const writable = profile.writable.filter((path) => path !== facts.home);
    return { ...profile, writable, home: { kind: 'private' }, environment: {}, network: 'none', ...more };
  };
  return {
    async launchHelper() {
      const sandbox = await tools.sandbox();
      const command = [...tools.fileHelper, facts.worktree];
      return sandbox.launch(box(command, {}), command);
    },
    async run({ argv, environment: more }, cwd, options) {
      const sandbox = await tools.sandbox();
      const allowed = verificationEnvironment(tools.hostEnvironment, tools.environmentAllowlist);
      const environment = { ...allowed, ...more };
      // A folder that is a link leads elsewhere, and the box takes real paths alone.
      const folder = await realpath(join(facts.worktree, cwd)).catch(() => join(facts.worktree, cwd));
      const profile = box([], { cwd: folder, environment });
      return sandbox.run(profile, argv, options);
    },
  };
}
