/** One `tools/call`: accept the arguments, learn the caller's authority, run the operation, render what came of it. */
import {
  type CallToolResult,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallContext, OperationDefinition, Operations } from '../app/index.ts';
import type { Log } from '../base/index.ts';
import { callerOf } from './caller.ts';
import { askForRoots, mustAskForRoots, readAuthority } from './client-roots.ts';
import { followProgress } from './progress.ts';
import { renderError, renderOutput } from './render-result.ts';

export interface CallTools {
  readonly definitions: readonly OperationDefinition[];
  readonly operations: () => Promise<Operations>;
  readonly log: Log;
  /** What a client of the 2025 eras said at `initialize`. */
  readonly client: {
    readonly info: () => Implementation | undefined;
    readonly capabilities: () => ClientCapabilities | undefined;
  };
  /** Whether this client left a question for its roots unanswered; then it is not asked again. */
  readonly roots: { silent: boolean };
}

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** Every refusal is a tool result; only an unknown tool is an error of the protocol. */
export async function callTool(
  tools: CallTools,
  params: CallParams,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const definition = tools.definitions.find(({ name }) => name === params.name);
  if (definition === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(tools, params.name));
  const caller = callerOf(tools.client, context);
  try {
    const call = definition.accept(params.arguments ?? {});
    if (mustAskForRoots(caller, context)) return askForRoots();
    const operations = await tools.operations();
    using progress = followProgress(context);
    const authority = once(() => readAuthority(caller, context, tools.roots));
    const callContext: CallContext = { authority, signal: context.mcpReq.signal, progress };
    return renderOutput(await call(operations, callContext), definition, tools.log);
  } catch (error) {
    return renderError(error, {
      tool: definition.name,
      caller,
      log: tools.log,
      cancelled: context.mcpReq.signal.aborted,
    });
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

function unknownTool({ definitions }: CallTools, name: string): string {
  return `Unknown tool ${JSON.stringify(name.slice(0, 80))}; there are: ${definitions.map((each) => each.name).join(', ')}.`;
}
