/** The rooms of src/ and which of them each may enter, as data. The picture of it is in ARCHITECTURE.md. */

export interface Room {
  readonly name: string;
  /** Rooms whose doors it may import; a door is the room's index.ts. */
  readonly mayEnter: readonly string[];
  /** A pure room does no I/O and reads no clock: of Node's own modules it may use only those of PURE_BUILTINS. */
  readonly pure?: boolean;
}

const LAW = ['contract', 'policy', 'evidence'];
const EDGES = ['worker', 'git', 'sandbox', 'store'];
const UP_TO_PROCESS = ['base', ...LAW, 'protocol', 'process'];
const UP_TO_TASK = [...UP_TO_PROCESS, ...EDGES, 'task'];

export const ROOMS: readonly Room[] = [
  { name: 'base', mayEnter: [], pure: true },
  ...LAW.map((name) => ({ name, mayEnter: ['base'], pure: true })),
  { name: 'protocol', mayEnter: ['base', 'evidence'], pure: true },
  { name: 'process', mayEnter: ['base', ...LAW] },
  ...EDGES.map((name) => ({ name, mayEnter: UP_TO_PROCESS })),
  { name: 'task', mayEnter: [...UP_TO_PROCESS, ...EDGES] },
  { name: 'review', mayEnter: UP_TO_TASK },
  // The bundled worker is a program of its own and must not lean on the host that watches it.
  { name: 'agent', mayEnter: UP_TO_PROCESS },
  { name: 'app', mayEnter: [...UP_TO_TASK, 'review', 'agent'] },
  { name: 'mcp', mayEnter: [...UP_TO_TASK, 'review', 'agent', 'app'] },
  // `remit serve` is a command, and what it starts is the face towards MCP clients.
  { name: 'cli', mayEnter: [...UP_TO_TASK, 'review', 'agent', 'app', 'mcp'] },
];

export const PURE_BUILTINS: readonly string[] = [
  'node:buffer',
  'node:crypto',
  'node:path',
  'node:path/posix',
  'node:util',
];

/** What a room may read outside src/: the version stands in the manifest alone. Relative to src/. */
export const OUTSIDE: readonly string[] = ['../package.json'];
