/** The Gemini API: the model and the way of answering stand in the path, contents have parts. */
import { type Json, listOf, type ModelApi, roleOf, textOf, USUAL_USAGE } from './model-api.ts';
import type { ModelMessage, ModelRequest, SaidTurn, ScriptedUsage } from './script.ts';

const PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(\w+)$/;

export const geminiContent: ModelApi = {
  serves: (path) => ['generateContent', 'streamGenerateContent'].includes(PATH.exec(path)?.[2] ?? ''),
  read: (body, path) => ({
    model: PATH.exec(path)?.[1] ?? '',
    stream: PATH.exec(path)?.[2] === 'streamGenerateContent',
    messages: [
      ...(body['systemInstruction'] === undefined
        ? []
        : [{ role: 'system' as const, text: partsText(body['systemInstruction'] as Json) }]),
      ...listOf(body['contents']).flatMap(messagesOf),
    ],
    toolNames: listOf(body['tools'])
      .flatMap((group) => listOf(group['functionDeclarations']))
      .map(({ name }) => String(name)),
  }),
  wholeAnswer,
  answerEvents: (turn, request, sequence) => [{ data: wholeAnswer(turn, request, sequence) }],
  countsTokens: (path) =>
    PATH.exec(path)?.[2] === 'countTokens' ? { totalTokens: USUAL_USAGE.promptTokens } : undefined,
};

/** The results of tools come inside a user's content; they are the last. */
function messagesOf(content: Json): ModelMessage[] {
  const results = listOf(content['parts']).flatMap((part) => listOf([part['functionResponse'] ?? []].flat()));
  const text = partsText(content);
  return [
    ...(text !== '' || results.length === 0 ? [{ role: roleOf(content['role']), text }] : []),
    ...results.map(({ response }) => ({ role: 'tool' as const, text: resultText(response as Json) })),
  ];
}

function partsText(content: Json): string {
  return textOf(content['parts']);
}

/** A program may put a result's text in `output`, or any object in its place. */
function resultText(response: Json): string {
  return typeof response?.['output'] === 'string' ? response['output'] : JSON.stringify(response);
}

function wholeAnswer(turn: SaidTurn, request: ModelRequest, sequence: number): Json {
  const parts = [
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...turn.toolCalls.map((call, index) => ({
      functionCall: { id: `call_${sequence}_${index}`, name: call.name, args: call.arguments },
    })),
  ];
  return {
    responseId: `scripted-${sequence}`,
    modelVersion: request.model,
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: usageOf(turn.usage),
  };
}

function usageOf(usage: ScriptedUsage = USUAL_USAGE): Json {
  return {
    promptTokenCount: usage.promptTokens,
    candidatesTokenCount: usage.completionTokens,
    cachedContentTokenCount: usage.cachedTokens ?? 0,
    totalTokenCount: usage.promptTokens + usage.completionTokens,
  };
}
