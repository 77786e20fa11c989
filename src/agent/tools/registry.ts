import type { Place } from '../place/place.ts';
import { bash } from './bash.ts';
import { completeStep } from './complete-step.ts';
import { failure, type Tool, type ToolContext, type ToolContract, type ToolResult } from './define-tool.ts';
import { deleteFile } from './delete-file.ts';
import { deleteRange } from './delete-range.ts';
import { editFile } from './edit-file.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { ls } from './ls.ts';
import { moveFile } from './move-file.ts';
import { multiEdit } from './multi-edit.ts';
import { readFile } from './read-file.ts';
import { reviewReport } from './review-report.ts';
import { todoWrite } from './todo-write.ts';
import { writeFile } from './write-file.ts';

/** Every tool, always in this order: what a model is sent first must not change from request to request. */
export const TOOLS: readonly Tool[] = [
  readFile,
  ls,
  glob,
  grep,
  editFile,
  multiEdit,
  writeFile,
  moveFile,
  deleteFile,
  deleteRange,
  bash,
  todoWrite,
  completeStep,
  reviewReport,
];

/** What each tool is, without what it does. */
export function toolContracts(): readonly ToolContract[] {
  return TOOLS.map(({ name, readOnly, description, inputSchema }) => ({ name, readOnly, description, inputSchema }));
}

export interface ToolOffer {
  readonly tools: readonly Tool[];
  /** What this place cannot have, and why. */
  readonly withheld: readonly { readonly name: string; readonly reason: string }[];
}

/** The tools that a place can have; the same all through a session. */
export function toolsFor(place: Place): ToolOffer {
  if (place.commands.kind === 'offered') return { tools: TOOLS, withheld: [] };
  return {
    tools: TOOLS.filter((tool) => tool !== bash),
    withheld: [{ name: bash.name, reason: place.commands.reason }],
  };
}

/** Has a tool called by its name; an unknown name is answered with the names that there are. */
export async function callTool(name: string, input: unknown, context: ToolContext): Promise<ToolResult> {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool.call(input, context);
  return failure(
    `There is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${TOOLS.map((known) => known.name).join(', ')}.`,
  );
}
