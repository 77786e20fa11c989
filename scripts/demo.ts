/**
 * One task from delegation to commit, for the reader to watch: a real supervisor over MCP, the built Remit, a real worker,
 * real Git and sandbox. Only the model is scripted. WORKER=reasonix takes the real Reasonix; KEEP=1 leaves the folder for a look.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '../test/model/scripted-model.ts';
import { CONTRACT_FILE, makeExampleRepository } from './demo/example-repository.ts';
import { type Answer, DemoSupervisor } from './demo/supervisor.ts';
import { DEMO_WORKERS, type DemoWorker } from './demo/workers.ts';

const REMIT = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin/remit');
const TASK = 'fix-slug';

// A demo that hangs is a failure; everything it starts has its own, shorter, limits.
const LIMIT_MS = 300_000;

async function main(): Promise<void> {
  const worker = chosenWorker();
  const place = makePlace();
  const model = await startScriptedModel({ turns: worker.turns, lifetimeMs: LIMIT_MS });
  const supervisor = new DemoSupervisor();
  try {
    introduce(worker, model.baseUrl);
    worker.writeHome(place.home, model.baseUrl);
    writeFileSync(
      place.environment['REMIT_CONFIG'] ?? '',
      JSON.stringify({ stateDir: place.state, worker: 'demo', workers: { demo: worker.entry(model.baseUrl) } }),
    );
    makeExampleRepository(place.repository, place.environment);
    const before = fingerprint(place);
    showFault(place);

    step('Start the server, as an MCP client would');
    const server = await supervisor.connect(REMIT, ['serve', '--root', place.repository], place.environment);
    say(`${server} answers over standard input and output`);

    const shown = await delegate(supervisor, readContract(place));
    const done = await approve(supervisor, shown);
    await showEvidence(supervisor);
    showCommit(place, done);
    showUntouched(place, before);
    say(`\nThe model was asked ${model.requests.length} times; the script had ${model.turnsLeft} turns left.`);
  } finally {
    await supervisor.close();
    await model.close();
    if (process.env['KEEP']) say(`Kept: ${place.directory}`);
    else rmSync(place.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function chosenWorker(): DemoWorker {
  const name = process.env['WORKER'] || 'builtin';
  const make = Object.hasOwn(DEMO_WORKERS, name) ? DEMO_WORKERS[name] : undefined;
  if (make === undefined)
    throw new Error(`WORKER=${name} is not known; choose one of ${Object.keys(DEMO_WORKERS).join(', ')}`);
  return make();
}

interface Place {
  readonly directory: string;
  readonly repository: string;
  readonly home: string;
  readonly state: string;
  readonly environment: Record<string, string>;
}

function makePlace(): Place {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-demo-')));
  const [repository, home, state] = ['slugs', 'home', 'state'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [repository, home]) mkdirSync(folder);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Demo Reviewer\n\temail = reviewer@example.test\n');
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home, REMIT_CONFIG: join(directory, 'config.json') };
  return { directory, repository, home, state, environment };
}

function introduce(worker: DemoWorker, modelUrl: string): void {
  say('Remit: one task from delegation to commit\n');
  say('  real       the MCP client and server, Git, the sandbox, the tests of the example');
  say(`  real       the worker: ${worker.title}, over ACP`);
  say(`  SCRIPTED   the model at ${modelUrl}: its answers were written down beforehand; no intelligence is shown here`);
}

function showFault(place: Place): void {
  step('An example repository with a fault');
  const title = 'The Quick Brown Fox';
  const asked = `import { slug } from './src/index.js'; console.log(slug('${title}'))`;
  const answer = run(place, 'node', '--input-type=module', '--eval', asked).trim();
  if (answer === 'the-quick-brown-fox') throw new Error('the fault of the example is gone before the work began');
  say(`slug('${title}') → '${answer}'`);
}

/** As `remit contract lint` reads it: without comments, with every default filled in. */
function readContract(place: Place): Answer {
  return JSON.parse(run(place, REMIT, 'contract', 'lint', '--json', CONTRACT_FILE)).contract;
}

async function delegate(supervisor: DemoSupervisor, contract: Answer): Promise<Answer> {
  step('Delegate the contract examples/fix-a-bug.jsonc');
  say(`objective   ${contract['objective']}`);
  say(`may write   ${contract['write_scope'].join(' ')}`);
  for (const { id, requirement, evidence } of contract['acceptance_criteria'])
    say(`must hold   ${id} (${evidence}): ${requirement}`);
  const shown = await supervisor.call('reasonix_delegate', {
    task_id: TASK,
    contract,
    wait_timeout_seconds: 180,
  });
  if (shown['state'] !== 'review_required') {
    throw new Error(`the task is ${shown['state']} (${shown['phase']}): ${shown['reason'] ?? 'no reason was given'}`);
  }
  step('What the reviewer is shown');
  say(`state       ${shown['state']}, revision ${shown['review_revision']}, tree ${shown['review_tree_hash']}`);
  say(`summary     ${shown['summary']}`);
  say(`files       ${shown['changed_files'].join(' ')}`);
  for (const risk of shown['risks'] ?? []) say(`risk        ${typeof risk === 'string' ? risk : JSON.stringify(risk)}`);
  show(shown['diff']);
  showWorkerReview(shown['worker_review']);
  return shown;
}

/** The worker's own review is a claim; what it rests on the host saw itself. */
function showWorkerReview(review: Answer | undefined): void {
  if (review === undefined) return;
  for (const { kind, verdict, findings } of review['reports']) {
    say(`its ${kind}   ${verdict}, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`);
    for (const { severity, path, line, summary } of findings) say(`  ${severity} ${path}:${line} ${summary}`);
  }
  for (const { path, receipts } of review['evidence']) say(`seen        ${path}, receipts ${receipts.join(' ')}`);
}

async function approve(supervisor: DemoSupervisor, shown: Answer): Promise<Answer> {
  step('Finalize: approve exactly that tree; the host verifies it and commits it');
  const done = await supervisor.call('reasonix_control', {
    task_id: TASK,
    action: 'finalize',
    review_summary: 'Read the diff: one expression changed, two tests added, nothing else.',
    approved_review_criteria: shown['required_review_criteria'],
    expected_review_revision: shown['review_revision'],
    expected_review_tree_hash: shown['review_tree_hash'],
    commit_message: 'Replace every run of spaces in slugs',
    wait_timeout_seconds: 120,
  });
  if (done['state'] !== 'completed')
    throw new Error(`the task is ${done['state']}: ${done['reason'] ?? 'no reason was given'}`);
  say(`state       ${done['state']}, commit ${done['commit_hash']}`);
  return done;
}

async function showEvidence(supervisor: DemoSupervisor): Promise<void> {
  step('What the host saw');
  const include = ['verification', 'acceptance_evidence'];
  const { sections } = await supervisor.call('reasonix_inspect', { task_id: TASK, include });
  for (const row of sections.verification) {
    const seconds = ((Date.parse(row.finishedAt) - Date.parse(row.startedAt)) / 1000).toFixed(1);
    say(
      `verification  ${row.id}: ${row.argv.join(' ')} → exit ${row.exitCode} after ${seconds} s, ${row.outputBytes} bytes, sha256 ${row.sha256}`,
    );
  }
  for (const row of sections.acceptance_evidence) {
    say(
      `evidence      ${row.criterionId} (${row.evidence}): ${row.approved ? 'holds' : 'DOES NOT HOLD'}, by ${row.source}`,
    );
  }
}

function showCommit(place: Place, done: Answer): void {
  step(`The commit on ${done['branch']}`);
  show(run(place, 'git', 'show', '--stat', '--format=%h %an <%ae>%n%n%B', done['commit_hash']));
  if (run(place, 'git', 'rev-list', '--count', `main..${done['branch']}`).trim() !== '1')
    throw new Error('not exactly one commit');
  say(`To take it: ${done['integration_command']}`);
}

function showUntouched(place: Place, before: string): void {
  step('The checkout of the caller');
  if (fingerprint(place) !== before) throw new Error('the caller’s checkout has changed');
  say('files, index, HEAD, branch and configuration are as they were');
}

/** Everything of the caller's checkout that must not change, as one text. */
function fingerprint(place: Place): string {
  return [
    run(place, 'git', 'status', '--porcelain=v2', '--branch', '--untracked-files=all', '--ignored'),
    run(place, 'git', 'ls-files', '--stage'),
    run(place, 'git', 'config', '--list', '--show-origin'),
    run(place, 'git', 'for-each-ref').replaceAll(/^.*refs\/heads\/remit\/.*\n/gm, ''),
  ].join('\n');
}

function run(place: Place, command: string, ...args: string[]): string {
  const options = {
    cwd: place.repository,
    env: place.environment,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: 'pipe',
  } as const;
  return execFileSync(command, args, options);
}

let steps = 0;

function step(title: string): void {
  steps += 1;
  say(`\n${steps}. ${title}`);
}

function show(text: string): void {
  say(text.trimEnd().replaceAll(/^/gm, '   | '));
}

function say(line: string): void {
  console.log(line);
}

const limit = setTimeout(() => {
  console.error(`The demo took longer than ${LIMIT_MS / 1000} s.`);
  process.exit(1);
}, LIMIT_MS);
main()
  .catch((error) => {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  })
  .finally(() => clearTimeout(limit));
