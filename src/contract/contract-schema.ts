/**
 * The shape of a TaskContractV1 on the wire, with every limit; type and JSON Schema are derived from it. The limits are
 * those of `wire/tools.json`, and a test compares the two field for field.
 */
import { z } from 'zod';

const text = z.string().min(1).max(20_000);
const path = z.string().min(1).max(1024);
const id = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/);
const argv = z
  .array(z.string().max(4096).describe('One argument, handed on as it is: no shell splits, expands or quotes it.'))
  .min(1)
  .max(128)
  .describe('The program and its arguments, one item each, for example ["npm","test"]. Not a shell line.');
const cwd = z
  .string()
  .max(1024)
  .describe('Folder in which the command runs, relative to the same base as every path. Default ".".')
  .optional();
const proves = z
  .array(id.describe('Id of an acceptance criterion.'))
  .min(1)
  .max(256)
  .describe('Ids of the acceptance criteria that this proves when it succeeds.');

function timeout(defaultSeconds: number) {
  return z
    .int()
    .min(1)
    .max(1800)
    .describe(`Seconds after which the command is ended. Default ${defaultSeconds}.`)
    .optional();
}

function texts(each: string, all: string) {
  return z.array(text.describe(each)).max(1000).default([]).describe(all);
}

/** Seconds given to a command that states no timeout. */
export const DEFAULT_TIMEOUT_SECONDS = { verification: 600, allowed_commands: 120 } as const;

export const verifiedContextSchema = z
  .strictObject({
    path: path.describe('File or folder, relative, with "/" between its segments.'),
    reason: text.describe('What you verified there and why it matters to this task.'),
  })
  .describe('A place that you have read, and what the worker should know of it.');

export const criterionSchema = z
  .strictObject({
    id: id.describe('Name of the criterion, unique among the criteria, for example "C1".'),
    requirement: text.describe('What must be true of the finished change.'),
    evidence: z
      .enum(['automated', 'review'])
      .describe(
        '"automated": a verification command or file assertion proves it. "review": you approve it at finalize.',
      ),
  })
  .describe('One thing that must be true before the change is committed.');

export const verificationSchema = z
  .strictObject({
    id: id.describe('Name of the command, unique among the verification commands.'),
    argv,
    cwd,
    timeout_seconds: timeout(DEFAULT_TIMEOUT_SECONDS.verification),
    proves,
  })
  .describe('A command that the host runs on exactly the reviewed tree; it must exit with 0.');

export const allowedCommandSchema = z
  .strictObject({
    id: id.describe('Name of the command, unique among the allowed commands.'),
    argv,
    cwd,
    timeout_seconds: timeout(DEFAULT_TIMEOUT_SECONDS.allowed_commands),
  })
  .describe('A command that the worker may run, exactly so; it proves nothing.');

export const fileAssertionSchema = z
  .strictObject({
    id: id.describe('Name of the assertion, unique among the file assertions.'),
    path: path.describe('File to compare: relative, inside write_scope, a plain path and not a pattern.'),
    expected_utf8: z
      .string()
      .max(65_536)
      .describe('The whole content that the file must have, byte for byte in UTF-8; at most 64 KiB.'),
    proves,
  })
  .describe('A file whose whole content is fixed in advance.');

export const patternSchema = path.describe(
  'A relative path, a folder, or a pattern in which only *, **, ? and {a,b} are special.',
);

export const contractInputSchema = z
  .strictObject({
    schema_version: z.literal(1).describe('Always 1.'),
    objective: text.describe('What the worker must do, complete enough to act on without your conversation.'),
    user_outcome: text.describe('What the user can do or see once it is done.'),
    verified_context: z
      .array(verifiedContextSchema)
      .max(1000)
      .default([])
      .describe('What you have already read and verified, so that the worker need not guess.'),
    write_scope: z
      .array(patternSchema)
      .min(1)
      .max(1000)
      .describe('Paths that the worker may create, change or delete.'),
    forbidden_scope: z
      .array(patternSchema)
      .max(1000)
      .default([])
      .describe('Paths that it may not touch although write_scope includes them; these always win.'),
    invariants: texts('One invariant.', 'What must stay true while the change is made.'),
    non_goals: texts('One thing to leave out.', 'What the worker must not do although it may seem to belong.'),
    acceptance_criteria: z
      .array(criterionSchema)
      .min(1)
      .max(1000)
      .describe('What must be true before anything is committed.'),
    verification: z
      .array(verificationSchema)
      .max(256)
      .describe('Commands that the host runs itself before the commit; may be empty when nothing can be automated.'),
    allowed_commands: z
      .array(allowedCommandSchema)
      .max(256)
      .optional()
      .describe('Further commands that the worker may run.'),
    file_assertions: z.array(fileAssertionSchema).max(256).optional().describe('Files whose whole content is fixed.'),
    pause_conditions: texts('One condition.', 'When the worker must stop and ask instead of going on.'),
  })
  .describe(
    'TaskContractV1: what a worker may touch, what must be proven, and when it must stop. Immutable once delegated.',
  );

export type ContractInput = z.output<typeof contractInputSchema>;

type Filled<T> = { readonly [Key in keyof T]-?: NonNullable<T[Key]> };
type ListName = 'verification' | 'allowed_commands' | 'file_assertions';

export type VerifiedContext = Filled<z.output<typeof verifiedContextSchema>>;
export type Criterion = Filled<z.output<typeof criterionSchema>>;
export type Verification = Filled<z.output<typeof verificationSchema>>;
export type AllowedCommand = Filled<z.output<typeof allowedCommandSchema>>;
export type FileAssertion = Filled<z.output<typeof fileAssertionSchema>>;

/** A contract with every default filled in; its paths are normalised and relative to the repository's root. */
export type TaskContractV1 = Omit<Filled<ContractInput>, ListName> & {
  readonly verification: Verification[];
  readonly allowed_commands: AllowedCommand[];
  readonly file_assertions: FileAssertion[];
};

/** The JSON Schema of what a supervisor writes: without `$ref`, since some clients refuse a tool that has one. */
export function contractJsonSchema(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(contractInputSchema, { io: 'input', reused: 'inline' });
  return schema;
}
