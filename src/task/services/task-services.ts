import { decodeText, redact, sha256, splitLines } from '../../base/index.ts';
import { parseStoredContract } from '../../contract/index.ts';
import {
  type DeliveryGate,
  deliveryGate,
  fileDeleted,
  fileMoved,
  fileWritten,
  type Observation,
  observationReceipt,
  type WorkerReview,
  type WriteObservation,
  workerReviewOf,
} from '../../evidence/index.ts';
import type { TakenChange } from '../../git/index.ts';
import { isAuditedRead, plainRun } from '../../policy/index.ts';
import {
  type Claim,
  type ClaimAnswer,
  type Expectation,
  type GateAnswer,
  gateAnswer,
  judgeClaim,
} from '../../protocol/index.ts';
import type { CommandOutcome, CommandResult } from '../../sandbox/index.ts';
import type { HostServices, ServiceChange, ServiceCommandEnd, ServiceReading } from '../../worker/index.ts';
import type { TaskRecord } from '../record.ts';
import type { TaskTools } from '../tools.ts';
import { type FileLooks, findUnrecorded, findUnrecordedIn } from './changed-files.ts';
import { FileHelper } from './file-helper.ts';
import { fileLooks } from './file-looks.ts';
import { HostLedger } from './host-ledger.ts';
import type { ServiceBoxes } from './service-boxes.ts';

/** Kept of each stream of a command: what the worker is shown, and what the ledger can prove a sight by. */
const MOST_OUTPUT_BYTES = 16 * 1024;
/** Handed over by one read: a worker that asks and does not listen makes the host hold so much of each answer. */
const MOST_TEXT = 256 * 1024;
/** As its receipt, which the store holds to 256 KiB: room for thousands of paths. */
const LONGEST_CLAIM = 192 * 1024;
/** Of its words as JSON, in bytes; its output stands beside them in its receipt. */
const LONGEST_COMMAND = 64 * 1024;
/** Named to the worker of what a command changed; the ledger has all. */
const MOST_TOUCHED = 1_000;

/** What the host does for one task's worker, and what it has seen it do. */
export class TaskServices implements HostServices {
  readonly #taskId: string;
  readonly #tools: TaskTools;
  readonly #boxes: ServiceBoxes;
  readonly #ledger: HostLedger;
  readonly #helper: FileHelper;
  readonly #looks: FileLooks;
  /** Something may have happened that no receipt tells. */
  #isUnsettled: boolean;

  constructor(taskId: string, tools: TaskTools, boxes: ServiceBoxes) {
    this.#taskId = taskId;
    this.#tools = tools;
    this.#boxes = boxes;
    this.#ledger = new HostLedger(taskId, tools);
    this.#helper = new FileHelper(() => boxes.launchHelper(), tools.log);
    this.#looks = fileLooks(tools.places.worktree(taskId), async (path) => {
      const file = await this.#look(path);
      if (file.kind === 'lost') throw new Error('the worktree of a task could not be looked at');
      return file.kind === 'file' ? file.bytes : file.kind === 'absent' ? 'absent' : 'unreadable';
    });
    // Another process may have ended between an effect and its receipt.
    this.#isUnsettled = tools.journal.read(taskId).prompts_begun > 0;
  }

  async readFile(path: string, lines?: { from: number; count: number }): Promise<ServiceReading> {
    await this.#settle();
    const file = await this.#read(path);
    if (file.kind !== 'file') return file;
    const decoded = decodeText(file.bytes);
    if (decoded.kind === 'refused') return { kind: 'refused', reason: decoded.reason };
    const all = splitLines(decoded.content.text);
    const from = lines?.from ?? 1;
    const to = Math.min(all.length, from + (lines?.count ?? all.length) - 1);
    const digest = sha256(file.bytes);
    const ranges = to < from ? [] : [{ from, to }];
    const text = all.slice(from - 1, Math.max(from - 1, to)).join('');
    if (text.length > MOST_TEXT)
      return {
        kind: 'refused',
        reason: `has more in these lines than is handed over at once (${MOST_TEXT} characters)`,
      };
    this.#record([{ kind: 'read', path, ranges, total_lines: all.length, sha256: digest }]);
    return { kind: 'file', text, sha256: digest, totalLines: all.length, mode: file.mode };
  }

  async writeFile(
    path: string,
    content: Buffer,
    { expected, mode }: { expected?: Expectation; mode?: number },
  ): Promise<ServiceChange> {
    await this.#settle();
    const before = await this.#read(path);
    if (before.kind === 'refused') return { outcome: 'refused', reason: before.reason };
    const there: Expectation = before.kind === 'absent' ? 'absent' : { sha256: sha256(before.bytes) };
    const order = { op: 'write', path, bytes: content.toString('base64'), expected: expected ?? there } as const;
    return this.#change({ ...order, ...(mode !== undefined && { mode }) }, () => [
      before.kind === 'file'
        ? fileWritten(path, before.bytes, content, entryOf(mode ?? before.mode))
        : fileWritten(path, undefined, content, entryOf(mode)),
    ]);
  }

  async moveFile(from: string, to: string, { expected }: { expected: Expectation }): Promise<ServiceChange> {
    await this.#settle();
    const before = await this.#read(from);
    if (before.kind === 'refused') return { outcome: 'refused', reason: before.reason };
    if (before.kind === 'absent') return { outcome: 'unexpected' };
    const { bytes, mode } = before;
    return this.#change({ op: 'move', from, to, expected }, () => fileMoved(from, to, bytes, entryOf(mode)));
  }

  async removeFile(path: string, { expected }: { expected?: Expectation }): Promise<ServiceChange> {
    await this.#settle();
    const before = await this.#read(path);
    if (before.kind === 'absent') return { outcome: 'refused', reason: 'does not exist' };
    const bytes = before.kind === 'file' ? before.bytes : undefined;
    return this.#change({ op: 'remove', path, ...(expected !== undefined && { expected }) }, () => [
      fileDeleted(path, bytes),
    ]);
  }

  async runCommand(
    argv: readonly string[],
    cwd: string,
    { timeoutMs, signal, outputBytes }: { timeoutMs: number; signal: AbortSignal; outputBytes: number },
  ): Promise<ServiceCommandEnd> {
    await this.#settle();
    if (this.#ledger.isFull) return { refused: TOO_MUCH };
    if (Buffer.byteLength(JSON.stringify(argv)) > LONGEST_COMMAND)
      return { refused: `is longer than ${LONGEST_COMMAND} bytes` };
    const maxOutputBytes = Math.min(outputBytes, MOST_OUTPUT_BYTES);
    const isRead = isAuditedRead(argv, cwd, this.#task().worktree);
    const run = isRead ? plainRun(argv) : { argv, environment: {} };
    this.#isUnsettled = !isRead;
    const result = await this.#boxes.run(run, cwd, { timeoutMs, signal, maxOutputBytes });
    const told = describeEnd(result.outcome, timeoutMs);
    if ('refused' in told) return told;
    const touched = isRead ? [] : await this.#findUnrecorded();
    const stdout = outputOf(result, 'stdout');
    const command: Observation = {
      ...{ kind: 'command', argv: [...argv], cwd, exit_code: told.exit_code },
      ...{ stdout: stdout.text, stdout_bytes: stdout.total_bytes, truncated: stdout.truncated },
    };
    // The command ended after it had written the files, and its exit code tells of them as they are.
    this.#record([...touched, command]);
    this.#isUnsettled = false;
    return {
      ...told,
      stdout,
      stderr: outputOf(result, 'stderr'),
      touched: touched.slice(0, MOST_TOUCHED).map(({ path, change }) => ({ path, change })),
    };
  }

  async claim(claim: Claim): Promise<ClaimAnswer> {
    await this.#settle();
    const refused = (message: string): ClaimAnswer => ({ kind: 'refused', gaps: [{ code: 'too_much', message }] });
    if (this.#ledger.isFull) return refused('This task has too many receipts already; end the turn.');
    if (sizeOf(claim) > LONGEST_CLAIM)
      return refused(`It is longer than ${LONGEST_CLAIM} bytes of JSON: say it more briefly.`);
    const answer = judgeClaim(claim, this.#ledger.observations, this.#task().worktree);
    this.#record([claim], { success: answer.kind === 'accepted' });
    return answer;
  }

  async gate(): Promise<GateAnswer> {
    await this.#settle();
    return gateAnswer(this.#gate());
  }

  /** How the work stands that was taken when the worker had ended its turn: what nobody recorded of it is recorded first. */
  async judge(taken: readonly TakenChange[]): Promise<{ gate: DeliveryGate; review: WorkerReview | undefined }> {
    const found = await findUnrecordedIn(taken, this.#task(), this.#tools, this.#ledger.observations);
    this.#record(found, { how: 'found by the host when the worker had ended its turn' });
    const gate = this.#gate();
    return {
      gate,
      review: gate.kind === 'ready' ? workerReviewOf(gate, this.#ledger, this.#task().worktree) : undefined,
    };
  }

  /** Ends the helper. */
  stop(): Promise<void> {
    return this.#helper.stop();
  }

  #gate(): DeliveryGate {
    const record = this.#task();
    const { verification } = parseStoredContract(record.contract);
    return deliveryGate({
      ledger: this.#ledger.observations,
      worktree: record.worktree,
      requirements: {
        lane: record.worker_lane,
        commands: verification.map(({ id, argv, cwd }) => ({ id, argv, cwd })),
      },
    });
  }

  /** What happened without a receipt is found before anything is built upon it: a later change would else stand for both. */
  async #settle(): Promise<void> {
    if (!this.#isUnsettled) return;
    const found = await this.#findUnrecorded();
    const drafts = found.filter(({ path }) => DRAFT.test(path));
    for (const { path } of drafts) await this.#helper.ask({ op: 'remove', path });
    this.#record(
      found.filter((write) => !drafts.includes(write)),
      { how: 'found by the host when it went on' },
    );
    this.#isUnsettled = false;
  }

  async #read(path: string): Promise<Exclude<Look, { kind: 'lost' }>> {
    if (this.#ledger.isFull) return { kind: 'refused', reason: TOO_MUCH };
    const look = await this.#look(path);
    return look.kind === 'lost' ? { kind: 'refused', reason: LOST } : look;
  }

  async #look(path: string): Promise<Look> {
    const answer = await this.#helper.ask({ op: 'read', path });
    switch (answer.kind) {
      case 'file':
        return { kind: 'file', bytes: Buffer.from(answer.bytes, 'base64'), mode: answer.mode };
      case 'absent':
      case 'lost':
        return { kind: answer.kind };
      case 'refused':
      case 'failed':
        return { kind: 'refused', reason: answer.reason };
      default:
        return { kind: 'refused', reason: 'could not be read' };
    }
  }

  async #change(order: Parameters<FileHelper['ask']>[0], seen: () => WriteObservation[]): Promise<ServiceChange> {
    this.#isUnsettled = true;
    const answer = await this.#helper.ask(order);
    if (answer.kind === 'lost') return { outcome: 'refused', reason: LOST };
    if (answer.kind === 'done') this.#record(seen());
    this.#isUnsettled = answer.kind === 'failed';
    switch (answer.kind) {
      case 'done':
        return { outcome: 'done' };
      case 'unexpected':
        return { outcome: 'unexpected' };
      case 'refused':
      case 'failed':
        return { outcome: 'refused', reason: answer.reason };
      default:
        return { outcome: 'refused', reason: 'could not be changed' };
    }
  }

  #findUnrecorded(): Promise<WriteObservation[]> {
    return findUnrecorded(this.#task(), this.#tools, this.#ledger.observations, this.#looks);
  }

  #record(observations: readonly Observation[], how?: { success?: boolean; how?: string }): void {
    this.#ledger.record(observations, how);
  }

  #task(): TaskRecord {
    return this.#tools.journal.read(this.#taskId);
  }
}

type Look =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly reason: string };

/** What a write leaves when it is ended before its file is in place. */
const DRAFT = /(?:^|\/)\.remit-[0-9a-f]{16}$/;

const LOST = 'could not be reached; try it again';
const TOO_MUCH = 'is refused: this task has too many receipts already; end the turn';

function sizeOf(claim: Claim): number {
  return Buffer.byteLength(JSON.stringify(observationReceipt(claim, { at: '' }).facts));
}

/** As Git sees it: by what the owner may do. */
function entryOf(mode = 0): WriteObservation['entry'] {
  return (mode & 0o100) === 0 ? undefined : 'executable';
}

type Told = { exit_code: number | null; how?: string } | { refused: string };

function describeEnd(outcome: CommandOutcome, timeoutMs: number): Told {
  switch (outcome.kind) {
    case 'exited':
      return { exit_code: outcome.exitCode };
    case 'signalled':
      return { exit_code: null, how: `ended by ${outcome.signal}` };
    case 'out_of_memory':
      return { exit_code: null, how: 'ended because memory ran out' };
    case 'timed_out':
      return { exit_code: null, how: `stopped after ${Math.round(timeoutMs / 1000)} s` };
    case 'aborted':
      return { exit_code: null, how: 'cancelled' };
    case 'program_not_found':
      return { refused: `could not be started: ${outcome.reason}` };
    case 'cwd_not_found':
      return { refused: 'has no working folder' };
    case 'launcher_failed':
      return { refused: `could not be run: ${outcome.reason}` };
  }
}

function outputOf(result: CommandResult, stream: 'stdout' | 'stderr') {
  const { bytes, totalBytes, truncated } = result[stream];
  return { text: redact(bytes.toString('utf8')).toWellFormed(), total_bytes: totalBytes, truncated };
}
