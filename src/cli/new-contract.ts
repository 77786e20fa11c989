import { contractJsonSchema } from '../contract/index.ts';
import { denyVerificationCommand } from '../policy/index.ts';
import { projectCommands, projectFolders } from './project-commands.ts';

const CODE_FOLDERS = ['src', 'lib', 'app', 'pkg', 'cmd', 'internal', 'packages', 'crates', 'test', 'tests', 'spec'];

const READS_WELL = {
  id: 'R1',
  requirement: 'The change is the smallest that reaches the objective, and reads like the code around it.',
  evidence: 'review',
};

/** A contract that passes lint as it is and describes this folder; its sentences wait to be replaced. */
export function newContract(directory: string): Record<string, unknown> {
  const [check, ...others] = projectCommands(directory).filter(
    (argv) => denyVerificationCommand(argv, '.') === undefined,
  );
  const proven = { id: 'C1', requirement: `\`${check?.join(' ')}\` succeeds.`, evidence: 'automated' };
  return {
    schema_version: 1,
    objective: 'Replace this: what is to be done, complete enough to act on without asking.',
    user_outcome: 'Replace this: what the user can do or see once it is done.',
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
  return folders.length > 0 ? folders.map((name) => `${name}/**`) : ['**'];
}

/** The contract as JSON with a comment on every field: the description that its schema carries. */
export function withComments(contract: Record<string, unknown>): string {
  const { properties } = contractJsonSchema() as { properties: Record<string, { description?: string }> };
  const fields = Object.entries(contract).map(([name, value]) => {
    const text = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
    return `  // ${properties[name]?.description ?? ''}\n  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${fields.join(',\n\n')}\n}`;
}
