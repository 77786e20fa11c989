/** What the commands about tasks print with --json, from the schemas that they are checked with. */
import { z } from 'zod';
import { modelsReportSchema } from '../../src/agent/index.ts';
import { taskDetailSchema, taskEvidenceSchema, taskListingSchema, taskNewsSchema } from '../../src/app/index.ts';
import { controlOutputSchema } from '../../src/app/wire/control.ts';
import { activitySchema } from '../../src/task/index.ts';
import { type Schema, schemaTable } from './schema-table.ts';

const VIEW = "the task's view, below";
const CONTRACT = '[TaskContractV1](contract.md)';

/** Every schema of such an output by what stands above it; a test asks that each field is described. */
export const COMMAND_OUTPUTS: Readonly<Record<string, z.ZodType>> = {
  'remit task list --json': taskListingSchema,
  'remit task show TASK --json': taskDetailSchema,
  'remit task show TASK --evidence --json': taskEvidenceSchema,
  'remit task watch TASK --json': taskNewsSchema,
  'remit worker models --json': modelsReportSchema.extend({
    worker: z.string().describe('Its name in the settings file.'),
  }),
  'remit task steer, respond, finalize, cancel and close --json': controlOutputSchema,
};

export function commandJson(): string {
  return Object.entries(COMMAND_OUTPUTS)
    .map(([command, schema]) => `### ${command}\n\n${outputText(schema)}`)
    .join('\n\n');
}

function outputText(schema: z.ZodType): string {
  if (schema === taskNewsSchema) return newsText();
  return table(schema, { status: VIEW, contract: CONTRACT });
}

/** One object a line; which fields it has is told by its type. */
function newsText(): string {
  const activities = activitySchema.options.map((option) => variant('activity.type', option, 'activity.'));
  return [...taskNewsSchema.options.map((option) => variant('type', option)), ...activities].join('\n\n');
}

function variant(discriminator: string, option: z.ZodObject, prefix = ''): string {
  const { type, ...fields } = option.shape;
  const value = JSON.stringify((type as z.ZodLiteral).value);
  const head = `\`${discriminator}\` ${value.replaceAll('"', '`')}: ${option.description ?? ''}`;
  if (Object.keys(fields).length === 0) return head;
  return `${head}\n\n${table(z.object(fields), { status: VIEW, activity: 'one of those below, by its `type`' }, prefix)}`;
}

function table(schema: z.ZodType, elsewhere: Record<string, string>, prefix = ''): string {
  return schemaTable(outputSchema(schema), { elsewhere }).replaceAll(/^\| `/gm, `| \`${prefix}`);
}

/** As JSON Schema, without the limits that only say what a number in JavaScript can hold. */
export function outputSchema(schema: z.ZodType): Schema {
  const withoutSafeLimits = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  };
  return z.toJSONSchema(schema, { reused: 'inline', override: withoutSafeLimits }) as Schema;
}
