import { contractJsonSchema, PLACEHOLDER } from '../contract/index.ts';
import { denyVerificationCommand } from '../policy/index.ts';
import { hasFileOf, projectCommands, projectFolders } from './project-commands.ts';

const CODE_FOLDERS = ['src', 'lib', 'app', 'pkg', 'cmd', 'internal', 'packages', 'crates', 'test', 'tests', 'spec'];

const READS_WELL = {
  id: 'R1',
  requirement: 'The change is the smallest that reaches the objective, and reads like the code around it.',
  evidence: 'review',
};

/** A contract that describes this folder and passes lint as soon as its two sentences are replaced. */
export function newContract(directory: string): Record<string, unknown> {
  const [check, ...others] = projectCommands(directory).filter(
    (argv) => denyVerificationCommand(argv, '.') === undefined,
  );
  const proven = { id: 'C1', requirement: `\`${check?.join(' ')}\` succeeds.`, evidence: 'automated' };
  return {
    schema_version: 1,
    objective: `${PLACEHOLDER}is to be done, complete enough to act on without asking.`,
    user_outcome: `${PLACEHOLDER}the user can do or see once it is done.`,
    write_scope: writeScope(directory),
    forbidden_scope: ['.github/**'],
    acceptance_criteria: check ? [proven, READS_WELL] : [READS_WELL],
    verification: check ? [{ id: 'V1', argv: check, proves: ['C1'] }] : [],
    allowed_commands: others.map((argv, index) => ({ id: `A${index + 1}`, argv })),
    pause_conditions: ['The objective cannot be reached inside write_scope.'],
  };
}

function writeScope(directory: string): string[] {
  const folders = projectFolders(directory).filter((name) => CODE_FOLDERS.includes(name));
  if (folders.length === 0) return ['**'];
  // The root of a Go module is most often a package itself.
  return [...folders.map((name) => `${name}/**`), ...(hasFileOf(directory, '.go') ? ['*.go'] : [])];
}

/**
 * The contract as JSON in which a comment on every field gives the description that its schema carries. Fields that it leaves
 * out stand in comments with an example, each in its place, so that nothing but the comment marks must be removed.
 */
export function withComments(contract: Record<string, unknown>): string {
  const { properties } = contractJsonSchema() as { properties: Record<string, { description?: string }> };
  const examples = examplesFor(contract);
  const names = Object.keys(properties).filter((name) => name in contract || name in examples);
  const last = names.findLast((name) => name in contract);
  const fields = names.map((name) => {
    const comma = name === last ? '' : ',';
    const field = `${JSON.stringify(name)}: ${JSON.stringify(contract[name] ?? examples[name], null, 2)}${comma}`;
    const about = `// ${properties[name]?.description ?? ''}${MORE[name] ?? ''}`;
    return [about, ...field.split('\n').map((line) => (name in contract ? line : `// ${line}`))];
  });
  return `{\n${fields.map((lines) => lines.map((line) => `  ${line}`).join('\n')).join('\n\n')}\n}`;
}

const OF_COMMANDS = ' Each may also have "cwd" and "timeout_seconds".';

/** What surprises first where a project has dependencies. */
const OF_CHECKOUT =
  ' They see a fresh checkout, without network: what Git ignores, such as node_modules, is not there.';

const MORE: Readonly<Record<string, string>> = {
  verification: `${OF_COMMANDS}${OF_CHECKOUT}`,
  allowed_commands: OF_COMMANDS,
};

/** Examples of the fields that the contract leaves out, true to the rest of it. */
function examplesFor(contract: Record<string, unknown>): Record<string, unknown> {
  const [scope = '**'] = contract['write_scope'] as string[];
  const [criterion] = contract['acceptance_criteria'] as { id: string }[];
  const path = scope.replace('**', 'example.txt');
  return {
    verified_context: [{ path: scope.replace(/\/?\*\*$/, '') || 'README.md', reason: 'What you found there.' }],
    invariants: ['The public names stay as they are.'],
    non_goals: ['Formatting of code that the change does not touch.'],
    file_assertions: [{ id: 'F1', path, expected_utf8: 'The whole file.\n', proves: [criterion?.id] }],
  };
}
