/**
 * The bundled worker: a coding agent in a process of its own. What stands so far is its tools and the places they act in.
 * Promises: a tool's contract has one source; nothing runs on arguments that its schema does not take; no link leads out of the
 * repository; a file is replaced whole, with its line breaks, byte order mark and mode, and never when it changed since it was
 * read. Refuses: shell text, text that is no UTF-8, commands without a process namespace of their own.
 */
export { openLocalPlace } from './place/local-place.ts';
export type {
  CommandEnd,
  CommandLimits,
  CommandOutput,
  Expected,
  FileChange,
  FileReading,
  FolderEntry,
  FolderReading,
  LineWindow,
  Place,
  PlaceCommands,
  PlaceFiles,
} from './place/place.ts';
export type { Tool, ToolContext, ToolContract, ToolResult } from './tools/define-tool.ts';
export { callTool, TOOLS, type ToolOffer, toolContracts, toolsFor } from './tools/registry.ts';
