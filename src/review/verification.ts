import { sha256 } from '../base/index.ts';
import { parseStoredContract, type TaskContractV1 } from '../contract/index.ts';
import { readTreeFiles, restoreFiles } from '../git/index.ts';
import { openTaskWorkspace, type Review, type TaskRecord } from '../task/index.ts';
import {
  type CheckContext,
  type CheckResult,
  type CheckRun,
  type CheckTools,
  type Failure,
  runCheck,
} from './run-check.ts';
import { runScanner } from './run-scanner.ts';
import type { Testbeds } from './testbeds.ts';

export interface AssertionResult {
  readonly id: string;
  readonly path: string;
  readonly proves: readonly string[];
  readonly passed: boolean;
  /** Of the blob in the reviewed tree; absent when there is none. */
  readonly sha256?: string;
  readonly outputBytes?: number;
}

export interface Verification {
  readonly checks: readonly CheckResult[];
  readonly assertions: readonly AssertionResult[];
  readonly failures: readonly Failure[];
}

/**
 * Runs the contract's verification on the reviewed tree: commands one after the other in the sandbox on the testbed,
 * each beginning with exactly that tree's tracked files (what an earlier one built is still there, so that a build can be
 * tested; the first begins with nothing else), assertions against the tree's blobs. What does not pass is data; no sandbox
 * and no working scanner are errors, never a failed test.
 */
export async function verifyTree(
  record: TaskRecord,
  review: Review,
  tools: CheckTools,
  testbeds: Testbeds,
  signal: AbortSignal,
): Promise<Verification> {
  const contract = parseStoredContract(record.contract);
  const ran = await runCommands(contract.verification, { record, review, tools, signal }, testbeds);
  const assertions = await compareAssertions(contract, record, review, tools);
  return {
    checks: ran.map(({ result }) => result),
    assertions,
    failures: [...ran.flatMap(({ failure }) => failure ?? []), ...assertions.flatMap(assertionFailure)],
  };
}

async function runCommands(
  commands: TaskContractV1['verification'],
  place: Omit<CheckContext, 'testbed'>,
  testbeds: Testbeds,
): Promise<CheckRun[]> {
  const { secretScannerArgv } = place.tools;
  if (commands.length === 0 && secretScannerArgv === undefined) return [];
  const { record, review, tools, signal } = place;
  const testbed = await testbeds.at(record, review.tree);
  const context = { ...place, testbed };
  let altered = secretScannerArgv ? await runScanner(secretScannerArgv, context) : [];
  const ran: CheckRun[] = [];
  for (const command of commands) {
    signal.throwIfAborted();
    if (altered.length > 0) await restoreFiles(tools.git, testbed, review.tree, altered);
    const run = await runCheck(command, context);
    ({ altered } = run);
    ran.push(run);
  }
  return ran;
}

function assertionFailure(assertion: AssertionResult): Failure[] {
  if (assertion.passed) return [];
  const what =
    assertion.sha256 === undefined
      ? `${assertion.path} is not in the reviewed tree`
      : `${assertion.path} differs from expected_utf8 (it has ${assertion.outputBytes} bytes, sha256 ${assertion.sha256})`;
  return [{ id: assertion.id, what, fault: 'work', exit_code: null, output_tail: '' }];
}

/** Assertions are true of the commit: they are compared with the blob, byte for byte, never with a file on disk. */
async function compareAssertions(
  contract: TaskContractV1,
  record: TaskRecord,
  review: Review,
  tools: CheckTools,
): Promise<AssertionResult[]> {
  if (contract.file_assertions.length === 0) return [];
  const workspace = await openTaskWorkspace(record, tools);
  const paths = contract.file_assertions.map(({ path }) => path);
  const files = await readTreeFiles(tools.git, workspace, review.tree, paths);
  return contract.file_assertions.map(({ id, path, expected_utf8, proves }, at) => {
    const file = files[at];
    const blob = file?.entry === 'symlink' ? undefined : file?.bytes;
    const passed = blob?.equals(Buffer.from(expected_utf8, 'utf8')) ?? false;
    return { id, path, proves, passed, ...(blob && { sha256: sha256(blob), outputBytes: blob.length }) };
  });
}
