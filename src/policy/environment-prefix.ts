import { type Denial, hardDenial } from './decision.ts';
import { programName } from './denied-programs.ts';

const SETTABLE = /^(CI|NO_COLOR|FORCE_COLOR|NODE_ENV|TZ|LANG|LC_[A-Z]+)=(.*)$/su;

export type EnvironmentPrefix =
  | { readonly kind: 'none' }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'denied'; readonly denial: Denial };

/**
 * Reads `env NAME=value… program …`. Only the listed variables, no option and no nesting: an environment can make almost any
 * program run another one (GIT_EXTERNAL_DIFF, NODE_OPTIONS, LESSOPEN, `env -S`). Values name no path: TZ and locales can.
 */
export function readEnvironmentPrefix(argv: readonly string[]): EnvironmentPrefix {
  if (programName(argv[0] ?? '') !== 'env') return { kind: 'none' };
  let at = 1;
  for (; at < argv.length; at += 1) {
    const setting = SETTABLE.exec(argv[at] ?? '');
    if (setting === null) break;
    if (/^[/:]|\.\./.test(setting[2] ?? '')) return denied('a value that may be a path');
  }
  const program = argv[at];
  if (at === 1) return denied('`env` without a setting that may be made');
  if (program === undefined) return denied('`env` without a command');
  if (program.startsWith('-') || program.includes('=')) return denied('another option or variable of `env`');
  if (programName(program) === 'env') return denied('`env` inside `env`');
  return { kind: 'command', argv: argv.slice(at) };
}

function denied(what: string): EnvironmentPrefix {
  const hint =
    '`env` may set only CI, NO_COLOR, FORCE_COLOR, NODE_ENV, TZ, LANG and LC_*, directly before a command of the contract.';
  return { kind: 'denied', denial: hardDenial('shell_or_wrapper', `wrappers: ${what}`, hint) };
}
