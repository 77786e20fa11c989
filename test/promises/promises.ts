/**
 * What Remit promises, as data. A promise is made of claims; a claim that is built names the tests that prove it, and a
 * breach of it blocks a release. `promises.test.ts` keeps this honest.
 */

export interface ProductPromise {
  readonly number: number;
  readonly says: string;
  readonly claims: readonly Claim[];
}

export interface Claim {
  readonly says: string;
  readonly status: 'built' | 'planned';
  /** Test file, from the root of the project, to the names of its tests. */
  readonly provenBy: Readonly<Record<string, readonly string[]>>;
}

const MAIN_JOB = 'test/journeys/main-job.test.ts';
const SCOPE = 'test/journeys/scope.test.ts';
const GIT_CASES = 'test/journeys/git-cases.test.ts';
const HOSTILE = 'test/journeys/hostile-repository.test.ts';
const BAD_INPUT = 'test/journeys/bad-input.test.ts';
const CUT_OFF = 'test/journeys/cut-off.test.ts';
const SECRETS = 'test/journeys/secrets.test.ts';
const BUNDLED = 'test/journeys/bundled-worker.test.ts';
const HOST_SERVICES = 'test/services/host-services.test.ts';
const JOURNAL = 'src/task/journal.test.ts';
const ATTACKS = 'src/sandbox/attacks.test.ts';
const WORKTREE = 'src/git/worktree.test.ts';
const SCAN = 'src/git/scan-workspace.test.ts';
const WRITE_TREE = 'src/git/write-tree.test.ts';
const SECRET_SCAN = 'src/review/secret-scan.test.ts';
const TESTBED = 'src/git/testbed.test.ts';
const COMMIT = 'src/git/commit.test.ts';
const STORE = 'src/store/store.test.ts';
const SHARED_STORE = 'src/store/shared-store.test.ts';
const RUN_PROCESS = 'src/process/run-process.test.ts';

const built = (says: string, provenBy: Claim['provenBy']): Claim => ({ says, status: 'built', provenBy });
const planned = (says: string): Claim => ({ says, status: 'planned', provenBy: {} });

export const PROMISES: readonly ProductPromise[] = [
  {
    number: 1,
    says: "The caller's checkout (files, index, HEAD, config, other refs) is never changed.",
    claims: [
      built('A whole task leaves the checkout as it was, uncommitted files included', {
        [MAIN_JOB]: [
          'a contract without any optional field becomes exactly one commit, and the checkout stays as it was',
        ],
        [WORKTREE]: ['is a clean, full, locked checkout of the base, and the source is as before'],
      }),
      built('What a worker that nothing confines changed there is named in the review', {
        [GIT_CASES]: ['what a worker that nothing confines changed in the repository is named in the review'],
      }),
      built('A confined worker cannot write it', {
        [GIT_CASES]: ['changes no branch, tag, stash or setting of the user, and its commits are no commits'],
        [SCOPE]: ['it can write its worktree, not the checkout, the home, the Git folder or the state of Remit'],
      }),
    ],
  },
  {
    number: 2,
    says: 'Nothing that the repository controls runs outside the sandbox.',
    claims: [
      built('Hooks, the tracked hooks folder of a worker included, do not run', {
        [HOSTILE]: ['hooks in the Git folder', 'a tracked hooks folder that the worker %s'],
        [WORKTREE]: ['runs no hook, filter or monitor, and gives filtered paths their own bytes'],
      }),
      built('Monitors, filters, drivers, pagers, credential helpers and aliases do not run', {
        [HOSTILE]: ['fsmonitor, filters, textconv, external diff, pagers, credential helpers and aliases'],
        [SCAN]: ['is not fooled by a replaced pointer file, commondir or configuration, and runs nothing of them'],
      }),
      built('A program in a relative folder of the search path is not taken for Git', {
        [HOSTILE]: ['a program called git in a relative folder of the search path'],
      }),
      built('Paths under a filter are refused before anything is made, and never taken raw', {
        [HOSTILE]: ['in scope is refused before anything is made', 'that the worker makes anew is never taken raw'],
      }),
      built('Verification runs in a sandbox without network, secrets or terminal', {
        [SCOPE]: [
          'a check reaches no port of the host, only its own loopback',
          'a check has an empty stdin, a writable home and none of the secrets of the host',
        ],
      }),
      planned('Secret scanners that the operator names run in the sandbox'),
    ],
  },
  {
    number: 3,
    says: 'A worker cannot write outside its scope.',
    claims: [
      built('The snapshot takes nothing but what is in scope', {
        [SCOPE]: [
          'changes outside beside work in scope are named and left out',
          'an ignore file of the worker hides nothing',
        ],
        [WRITE_TREE]: ['holds the base and exactly the given changes, and leaves the repository as it was'],
      }),
      built('Edits and commands that an agent asks for are decided by policy', {
        [SCOPE]: ['an edit that is asked for outside the scope is denied with the clause, and the third time pauses'],
      }),
      built('The sandbox lets a worker write its worktree and nothing else of the host', {
        [SCOPE]: ['it can write its worktree, not the checkout, the home, the Git folder or the state of Remit'],
        [ATTACKS]: ['nothing else can be written: not the system, not the folder beside, not what is read-only inside'],
      }),
      planned('Inside the worktree the mounts are compiled from the contract, so that only the scope is writable'),
      planned('The host performs the file requests of agents that ask it to, inside the worker’s own mounts'),
    ],
  },
  {
    number: 4,
    says: 'A worker never holds a credential that it does not need.',
    claims: [
      built('Nothing of the environment of the host reaches the box, and credential stores are hidden', {
        [ATTACKS]: [
          'nothing of the host’s environment, in any process of the box',
          'credential stores of the home are hidden without being named',
        ],
      }),
      built('A worker sees neither configuration nor state of Remit, and only the variables named for it', {
        [SECRETS]: [
          'finds neither credentials nor configuration nor state of Remit nor the environment of the host',
          'has settings of its own kind in the repository hidden, and the review says so',
        ],
      }),
      built('Verification has no network', {
        [SCOPE]: ['a check reaches no port of the host, only its own loopback'],
        [ATTACKS]: ['none: a listener on the host’s loopback is not reachable, and nothing outside'],
      }),
      planned('The key of the model’s provider is put in by a gateway of the host and is nowhere inside'),
      planned('The worker reaches the endpoint of its model and nothing else'),
    ],
  },
  {
    number: 5,
    says: 'What was reviewed is what was verified is what was committed: one tree object.',
    claims: [
      built('The commit has the reviewed tree, whatever is written after the review', {
        [MAIN_JOB]: [
          'a contract without any optional field becomes exactly one commit, and the checkout stays as it was',
          'a worker that dies pauses the task; what is written after the review is not in the commit',
        ],
        [SCOPE]: ['a worker that swaps files during verification changes neither the result nor the commit'],
      }),
      built('Verification sees exactly that tree, and a check that rewrites it proves nothing', {
        [SCOPE]: [
          'a check that passes only because of an ignored or out-of-scope file fails',
          'a check that rewrites tracked files did not verify the reviewed tree',
        ],
        [TESTBED]: ['comes back to exactly the tree from any state, following no link'],
      }),
      built('A stale, incomplete or foreign approval is refused with the fresh tokens', {
        [BAD_INPUT]: ['an approval that is stale, incomplete or of a foreign criterion'],
      }),
    ],
  },
  {
    number: 6,
    says: "Exactly one commit, on exactly the task's branch, with exactly the base as parent.",
    claims: [
      built('A finished task is one commit on its branch', {
        [MAIN_JOB]: [
          'a contract without any optional field becomes exactly one commit, and the checkout stays as it was',
          'two tasks with disjoint scopes run side by side and become a commit each',
        ],
      }),
      built('A branch that somebody moved is not overwritten, and no other branch is ever moved', {
        [BAD_INPUT]: ['a branch that somebody moved is not overwritten'],
        [COMMIT]: [
          'tells a moved ref, a deleted ref and a lock apart',
          'never moves another branch by way of a symbolic ref',
        ],
      }),
    ],
  },
  {
    number: 7,
    says: 'Every change of state is one durable transaction; a kill loses no work and commits nothing twice.',
    claims: [
      built('A transaction is whole or not there, also when its process is killed', {
        [STORE]: ['leaves nothing behind when it throws'],
        [SHARED_STORE]: [
          'keeps nothing of a transaction whose process was killed inside it, and is writable at once',
          'stays consistent when a writing process is killed at any moment',
        ],
      }),
      built('A task goes on after its host was killed', {
        [MAIN_JOB]: [
          'finalize works after the host was killed and started again',
          'a kill at work pauses the task with its work kept; a resume with the fresh tokens finishes it',
        ],
        [CUT_OFF]: ['a verification that a kill cut off leaves the task at review, and no process behind'],
      }),
      built('A change of state and its event are one transaction', {
        [JOURNAL]: ['a change and its event are one: when the change throws, neither is there'],
      }),
      built('After a kill in the middle of a commit the branch decides, and no second commit is made', {
        [CUT_OFF]: [
          'after the branch moved is found at the next start and never made twice',
          'before the branch moved is as if it had not begun, and can be finalized again',
        ],
      }),
      planned('A kill at every single step of finalize is proven to end in one commit or none'),
    ],
  },
  {
    number: 8,
    says: 'Evidence is what the host saw; a claim of the worker is stored as a claim.',
    claims: [
      built('Verification by the host becomes the evidence of a criterion', {
        [MAIN_JOB]: ['verification runs on the reviewed tree and becomes evidence for its criteria'],
        'src/evidence/evidence.test.ts': ['never counts a criterion without its proof or approval'],
      }),
      built('A ledger shows what was changed, lost or swapped in it', {
        'src/evidence/evidence.test.ts': ['shows the first receipt that was changed, lost or swapped'],
      }),
      built('The gate of the bundled worker is computed from the receipts of the host', {
        [BUNDLED]: [
          'its review, and the receipts that it rests on, are in the bundle, the evidence and the commit',
          'a file that is written behind its back must be reviewed, although the worker said that all is well',
          'a report of what was not read is refused by the host, with the call that is missing',
          'what the configuration of the repository makes of a difference is no sight of it',
        ],
      }),
      built('A read counts as far as it was shown', {
        [BUNDLED]: ['of more %s than a call shows only those count as read that were shown'],
        'src/evidence/read-evidence.test.ts': ['a changed path does not count as reviewed after'],
      }),
      built('The work is judged by the tree that is reviewed', {
        [HOST_SERVICES]: [
          'the tree is judged, whatever the worktree held when it was looked at and holds now',
          'what happened between an effect and its receipt is found: neither lost nor counted as reviewed',
        ],
        [BUNDLED]: [
          'the worker’s own process cannot write its worktree, so that it swaps nothing that the host looks at',
        ],
      }),
    ],
  },
  {
    number: 9,
    says: 'Everything is bounded: output, events, time, tokens, cost, processes, disk, response size.',
    claims: [
      built('Output and time of a program', {
        [RUN_PROCESS]: [
          'a flood is bounded, counted and digested',
          'a program that ignores SIGTERM is timed out all the same',
        ],
      }),
      built('Size of an event and of an answer', {
        [STORE]: ['an event over 64 KiB is refused and nothing of its transaction stays'],
        'src/app/inspect-page.test.ts': [
          'whatever their sizes, the pages together hold everything and each is within its limit',
        ],
      }),
      built('Working time', {
        [CUT_OFF]: ['a worker that reaches its deadline is stopped and its work kept'],
      }),
      built('Workers at a time', {
        [MAIN_JOB]: ['more workers than the cap wait their turn in order and all come to review'],
      }),
      built('Requests, tokens, time and cost of the bundled worker, by its own count', {
        'src/agent/loop/loop.test.ts': ['%j pauses the work and says how to go on'],
        [BUNDLED]: ['a spent budget, and a resume grants as much again'],
      }),
      built('What an endpoint sends, and what a worker asks and claims', {
        'src/agent/models/models.test.ts': ['answers without an end is not listened to for ever'],
        [HOST_SERVICES]: ['a worker that claims without an end is refused, and its work can still be judged'],
      }),
      planned('Tokens, cost and disk of a task, by the host'),
    ],
  },
  {
    number: 10,
    says: 'Secrets reach no log, journal, error, evidence or commit.',
    claims: [
      built('A secret in the environment of an agent is hidden wherever the agent repeats it', {
        'src/worker/hostile-agent.test.ts': ['a secret of its environment is hidden wherever the agent repeats it'],
      }),
      built('A credential in a change, or a file that is one by its name, is found', {
        [SECRET_SCAN]: ['is found in a file name', 'has its line named'],
      }),
      built('The key of the bundled worker is in its requests alone', {
        [BUNDLED]: ['the key of the endpoint is nowhere but in the requests: no command, event, log or answer has it'],
        'test/journeys/bundled-key.test.ts': ['in %s it reaches the model, no command and nothing kept'],
      }),
      built('A token that a worker uses, prints and claims is in no event, log, error or answer', {
        [SECRETS]: ['a token in a command of the worker, its output and its last words is in no event, log or answer'],
        [JOURNAL]: ['an event carries no credential and is cut to its limit'],
      }),
    ],
  },
  {
    number: 11,
    says: 'A refusal says which clause of the contract or policy refused, and what to do instead.',
    claims: [
      built('Every error code has its next action', {
        'src/base/base.test.ts': ['has the retry and next action that the wire lists for its code'],
      }),
      built('A denied request names the clause and what may be done', {
        [SCOPE]: ['an edit that is asked for outside the scope is denied with the clause, and the third time pauses'],
      }),
      built('All problems of a contract are told at once, each with its place', {
        [BAD_INPUT]: ['has every problem named at once'],
      }),
    ],
  },
];
