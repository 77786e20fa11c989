/** What docs/tool-contract.md says of each tool of the bundled worker: its four fields, the schema as a table and as it is sent. */
import { toolContracts } from '../../src/agent/index.ts';
import { canonicalJson, sha256 } from '../../src/base/index.ts';
import { type Schema, schemaTable } from './schema-table.ts';

export function toolContractText(): string {
  const contracts = toolContracts();
  const bytes = Buffer.byteLength(canonicalJson(contracts));
  const head = `${contracts.length} tools, ${bytes} bytes of canonical JSON, SHA-256 \`${sha256(canonicalJson(contracts))}\`.`;
  return [head, ...contracts.map(section)].join('\n\n');
}

function section({ name, readOnly, description, inputSchema }: ReturnType<typeof toolContracts>[number]): string {
  return [
    `## ${name}`,
    description,
    `Read-only: ${readOnly ? 'yes' : 'no'}.`,
    schemaTable(inputSchema as Schema),
    `\`\`\`json\n${canonicalJson(inputSchema)}\n\`\`\``,
  ].join('\n\n');
}
