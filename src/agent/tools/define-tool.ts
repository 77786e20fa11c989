import { z } from 'zod';
import { canonicalJson } from '../../base/index.ts';
import type { Observation } from '../../evidence/index.ts';
import type { Authority } from '../authority.ts';
import type { Place } from '../place/place.ts';
import { describeProblems } from './argument-problems.ts';

/** What a call may know: where it acts, and what was seen in this session before it. */
export interface ToolContext {
  readonly place: Place;
  /** Oldest first. The loop appends what a call observed before the next call that is not read-only. */
  readonly ledger: readonly Observation[];
  /** Judges what the model says of its own work. */
  readonly authority: Authority;
  readonly signal?: AbortSignal | undefined;
}

export interface ToolResult {
  /** What the model is told; bounded. */
  readonly text: string;
  /** What the call saw and did, for the ledger; empty when nothing happened. */
  readonly observations: readonly Observation[];
  readonly isError?: true;
}

/** A tool's four fields. `inputSchema` has its members in the order of RFC 8785, so that its JSON text is canonical. */
export interface ToolContract {
  readonly name: string;
  readonly readOnly: boolean;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface Tool extends ToolContract {
  /** Nothing runs unless the arguments are what the schema says. Never rejects for what a model or a repository did. */
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
}

export interface ToolDefinition<Input> extends Omit<ToolContract, 'inputSchema'> {
  readonly input: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

export function defineTool<Input>({ name, readOnly, description, input, run }: ToolDefinition<Input>): Tool {
  const inputSchema = jsonSchemaOf(input);
  return {
    name,
    readOnly,
    description,
    inputSchema,
    call: async (given, context) => {
      const parsed = input.safeParse(given);
      return parsed.success
        ? run(parsed.data, context)
        : failure(describeProblems(name, parsed.error.issues, inputSchema));
    },
  };
}

export function failure(text: string): ToolResult {
  return { text, observations: [], isError: true };
}

function jsonSchemaOf(input: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    reused: 'inline',
    // The limits of a double say nothing about an argument.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return JSON.parse(canonicalJson(schema)) as Record<string, unknown>;
}
