import { bashScript } from './bash-script.ts';
import type { CommandWords } from './command-tree.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

/** The completion script of each shell that there is one for. */
export const SCRIPTS: Readonly<Record<'bash' | 'zsh' | 'fish', (tree: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
