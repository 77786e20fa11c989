import { isAbsolute, join, resolve } from 'node:path';
import type { Place } from './client.ts';

/** The folder that a client's own variable names, else one in the home. A relative one is read as the client reads it. */
export function namedFolder({ environment, home }: Place, variable: string, fallback: string): string {
  const named = environment[variable];
  return named ? resolve(named) : join(home, fallback);
}

/** `$XDG_CONFIG_HOME`, else `~/.config`. A relative path counts as not set: XDG Base Directory Specification. */
export function configFolder({ environment, home }: Place): string {
  const named = environment['XDG_CONFIG_HOME'];
  return named && isAbsolute(named) ? named : join(home, '.config');
}
