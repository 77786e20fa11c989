/** No tool has arguments that are nested as deep; beyond some thousands what walks them runs out of stack. */
const DEEPEST = 64;

export type CallArguments =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly reason: string };

/** The arguments of a call, from the text that the model wrote; `reason` follows the word "they". */
export function callArguments(input: string): CallArguments {
  // Some models write nothing for a call without arguments.
  if (input.trim() === '') return { kind: 'json', value: {} };
  if (depthOf(input) > DEEPEST) return { kind: 'broken', reason: `are nested more than ${DEEPEST} deep` };
  try {
    return { kind: 'json', value: JSON.parse(input) };
  } catch (error) {
    const problem = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read';
    return { kind: 'broken', reason: `are no JSON (${problem})` };
  }
}

function depthOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isText && character === '\\') at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
