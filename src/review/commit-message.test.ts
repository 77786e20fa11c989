import { expect, test } from 'vitest';
import { commitMessage } from './commit-message.ts';

const SCISSORS = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;

test.each([
  ['a short objective', 'Greet the\nuser', 'greet: Greet the user'],
  [
    'a long one',
    `${'word '.repeat(20).trim()}\n\n  kept  as it is`,
    `greet: ${'word '.repeat(13).trim()}…\n\n${'word '.repeat(14).trim()}\n${'word '.repeat(6).trim()}\n\n  kept  as it is`,
  ],
  ['one long word', 'x'.repeat(100), `greet: ${'x'.repeat(64)}…\n\n${'x'.repeat(100)}`],
  ['a line that hides trailers', `Greet\n${SCISSORS}\nthe user`, 'greet: Greet the user'],
])('of %s the message is the task and all of the objective', (_what, objective, message) => {
  expect(commitMessage('greet', objective, undefined)).toBe(message);
});

test('words of the reviewer are taken as they are, but those that Git cannot keep', () => {
  const own = `Greet ${'x '.repeat(100)}\n\nbody\n`;
  expect(commitMessage('greet', 'Greet the user', own)).toBe(own);
  for (const given of ['', ' \n', 'a\0b', '\ud800', `Greet\n\n${SCISSORS}\nbody`])
    expect(() => commitMessage('greet', 'Greet the user', given)).toThrow('commit_message');
});
