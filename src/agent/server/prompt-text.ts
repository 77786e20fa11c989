import type { ContentBlock } from '@agentclientprotocol/sdk';

const LONGEST_PROMPT = 1024 * 1024;

/** A prompt as text; what is no text is named. Throws a sentence when it is too long or holds nothing. */
export function promptText(blocks: readonly ContentBlock[]): string {
  const text = blocks.map(textOf).join('\n\n');
  if (text.trim() === '') throw new Error('The prompt holds no text.');
  if (text.length > LONGEST_PROMPT) throw new Error(`The prompt is longer than ${LONGEST_PROMPT} characters.`);
  return text;
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}] ${block.uri}`;
    case 'resource':
      return 'text' in block.resource ? `${block.resource.uri}:\n${block.resource.text}` : `[${block.resource.uri}]`;
    default:
      return `[${block.type}: not taken; this agent reads text]`;
  }
}
