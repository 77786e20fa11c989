/** A JSON Schema as a table in Markdown: one row for each field, nested fields by their path. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly description?: string;
  readonly pattern?: string;
  readonly [limit: string]: unknown;
}

export interface TableOptions {
  /** Fields that have a page or section of their own: their path to a link. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Leaves the column out for answers, where no caller has to give anything. */
  readonly required?: boolean;
}

export function schemaTable(schema: Schema, options: TableOptions = {}): string {
  const required = options.required ?? true;
  const head = ['Field', 'Type and limits', ...(required ? ['Required'] : []), 'Meaning'];
  const rows = fieldsOf(schema, '', options).map((field) => [
    `\`${field.path}\``,
    field.type,
    ...(required ? [field.required ? 'yes' : ''] : []),
    field.meaning,
  ]);
  return markdownTable(head, rows);
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

interface Field {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

function fieldsOf(schema: Schema, prefix: string, options: TableOptions): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const link = options.elsewhere?.[path];
    const field = {
      path,
      type: link ?? typeOf(property),
      required: schema.required?.includes(name) ?? false,
      meaning: [property.description ?? mainOf(property).description ?? '', defaultOf(property)]
        .filter(Boolean)
        .join(' '),
    };
    return link === undefined ? [field, ...nestedFields(property, path, options)] : [field];
  });
}

function nestedFields(property: Schema, path: string, options: TableOptions): Field[] {
  const main = mainOf(property);
  if (main.type === 'array' && main.items !== undefined) return nestedFields(main.items, `${path}[]`, options);
  return fieldsOf(main, `${path}.`, options);
}

/** Of alternatives the one with structure; the others (null, or a text that was cut) are named in the type. */
function mainOf(schema: Schema): Schema {
  const structured = schema.anyOf?.find((one) => one.type === 'object' || one.type === 'array');
  return structured ?? schema;
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array')
    return `list${limitsOf(schema)} of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
  return `${type}${limitsOf(schema)}`;
}

const LIMITS: readonly (readonly [low: string, high: string, unit: string])[] = [
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ''],
  ['minimum', 'maximum', ''],
];

/** The limits in brackets; a pattern says more than a length that stands beside it. */
function limitsOf(schema: Schema): string {
  if (schema.pattern !== undefined) return ` (\`${schema.pattern}\`)`;
  const limits = LIMITS.flatMap(([low, high, unit]) => {
    const [least = 0, most] = [schema[low], schema[high]];
    if (most === undefined) return least === 0 || least === 1 ? [] : [`at least ${least}${unit}`];
    return [least === 0 && unit !== '' ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
  });
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`;
}

function defaultOf(schema: Schema): string {
  if (schema.default === undefined) return '';
  return `Default \`${JSON.stringify(schema.default)}\`.`;
}
