/**
 * The face towards MCP clients, over standard input and output.
 * Promises: speaks to clients of 2025-06-18, 2025-11-25 and 2026-07-28; standard output carries the protocol and nothing else,
 * to the end; a refusal is a tool result that a program can read; a cancelled call never ends a task; ends with its client.
 * Refuses: to decide anything about a task, and input lines over 16 MiB.
 */
export { type ServeOptions, serve } from './serve.ts';
