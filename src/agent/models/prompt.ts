import type { LanguageModelV4FunctionTool, LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ToolContract } from '../tools/define-tool.ts';
import { callArguments } from './call-arguments.ts';
import type { AssistantPart, Message, ModelRequest } from './model.ts';
import type { Provider } from './providers.ts';

/**
 * Anthropic caches a prefix only where it is told to: after tools and system text, and at the end of each request. From there it
 * looks only twenty blocks back for what it has, fewer than one answer of many calls adds; so the end of the request before
 * keeps its mark.
 */
const CACHE: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** A request in the SDK's words. Equal messages give equal words, so that a provider's prefix cache hits. */
export function promptOf(provider: Provider, { system, messages }: ModelRequest): LanguageModelV4Message[] {
  const marks = provider === 'anthropic';
  const prompt = messages.map(messageOf);
  for (const at of marks ? requestEnds(messages) : []) {
    const message = prompt[at];
    if (message !== undefined) prompt[at] = { ...message, providerOptions: CACHE };
  }
  return [{ role: 'system', content: system, ...(marks && { providerOptions: CACHE }) }, ...prompt];
}

/** Where this request ends, and where the one ended that the model answered last. */
function requestEnds(messages: readonly Message[]): number[] {
  return [messages.findLastIndex(({ role }) => role === 'assistant') - 1, messages.length - 1];
}

export function toolsOf(_provider: Provider, tools: readonly ToolContract[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
}

function messageOf(message: Message): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(partOf) };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, text, isError }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

function partOf(part: AssistantPart) {
  switch (part.kind) {
    case 'text':
      return { type: 'text' as const, text: part.text };
    case 'reasoning':
      return {
        type: 'reasoning' as const,
        text: part.text,
        ...(part.provider && { providerOptions: part.provider as SharedV4ProviderOptions }),
      };
    case 'call':
      return {
        type: 'tool-call' as const,
        toolCallId: part.id,
        toolName: part.name,
        input: argumentsOf(part.input),
        ...(part.provider && { providerOptions: part.provider as SharedV4ProviderOptions }),
      };
  }
}

/** Providers want an object; what the model wrote instead stands in the answer to the call. */
function argumentsOf(input: string): unknown {
  const read = callArguments(input);
  const value = read.kind === 'json' ? read.value : {};
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
