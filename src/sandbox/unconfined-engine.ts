import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RemitError } from '../base/index.ts';
import { type Outcome, runProcess } from '../process/index.ts';
import { boxEnvironment } from './box-plan.ts';
import type { CommandOptions, CommandOutcome, CommandResult } from './command-result.ts';
import type { Launch, Sandbox } from './engine.ts';
import type { SandboxProfile } from './profile.ts';

/**
 * No confinement at all: the profile's environment and home, and nothing else of it. It exists for machines where no
 * sandbox works and whose operator said so; everything that it returns says that nothing was confined.
 */
export function unconfinedSandbox(because: string): Sandbox {
  return {
    engine: {
      kind: 'unconfined',
      warning: `NOT SANDBOXED: programs of the repository and of the worker can read and change everything that you can. ${because}`,
    },
    launch: launchUnconfined,
    run: runUnconfined,
  };
}

function launchUnconfined(profile: SandboxProfile, argv: readonly string[]): Launch {
  if (profile.home.kind === 'private') {
    // It would have to be removed when the program ends, which whoever launches alone can see.
    throw new RemitError(
      'sandbox_unavailable',
      'Without a sandbox a launched program needs a home directory of its own.',
    );
  }
  return { argv, cwd: profile.cwd, env: environmentOf(profile, profile.home.path), extraFiles: [] };
}

function environmentOf(profile: SandboxProfile, home: string): Record<string, string> {
  return boxEnvironment(profile.environment, home);
}

async function runUnconfined(
  profile: SandboxProfile,
  argv: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const privateHome = profile.home.kind === 'private' ? mkdtempSync(join(tmpdir(), 'remit-home-')) : undefined;
  try {
    const home = profile.home.kind === 'directory' ? profile.home.path : (privateHome ?? '');
    const result = await runProcess({ argv, cwd: profile.cwd, env: environmentOf(profile, home), ...options });
    const { stdout, stderr, startedAt, finishedAt } = result;
    return { outcome: outcomeOf(result.outcome), stdout, stderr, startedAt, finishedAt, confined: false };
  } finally {
    if (privateHome !== undefined) rmSync(privateHome, { recursive: true, force: true });
  }
}

function outcomeOf(outcome: Outcome): CommandOutcome {
  if (outcome.kind !== 'not_started') return outcome;
  const kind = outcome.errno === 'ENOTDIR' ? 'cwd_not_found' : 'program_not_found';
  return { kind, reason: outcome.reason };
}
