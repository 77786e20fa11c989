import { visibleLine } from '../base/index.ts';

export type LauncherCause =
  | 'missing'
  | 'apparmor'
  | 'user_namespaces'
  | 'proc_refused'
  | 'too_old'
  | 'path'
  | 'unsupported_system'
  | 'unknown';

/** The sandbox itself could not do its work: nobody's code failed, and nothing ran. */
export interface LauncherFailure {
  readonly cause: LauncherCause;
  /** What the launcher said, in one line. */
  readonly reason: string;
  /** What an operator can do, with the least privilege that helps. */
  readonly advice: string;
}

const ADVICE: Readonly<Record<LauncherCause, string>> = {
  missing: 'Install bubblewrap 0.8 or newer (package "bubblewrap" in every distribution) so that bwrap is on PATH.',
  apparmor:
    'This system (Ubuntu 23.10 and newer, and others with AppArmor) lets only named programs use user namespaces. Allow bubblewrap ' +
    'alone: a file /etc/apparmor.d/bwrap holding "abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap ' +
    'flags=(unconfined) { userns, }", then "sudo apparmor_parser -r /etc/apparmor.d/bwrap". Do not lift the restriction for every program.',
  user_namespaces:
    'The kernel refuses user namespaces to this process. On Debian: "sudo sysctl kernel.unprivileged_userns_clone=1"; on RHEL and ' +
    'others: "sudo sysctl user.max_user_namespaces=15000". In a container: allow them in its seccomp profile, or run Remit outside it.',
  proc_refused:
    'Remit runs inside a container or another sandbox that covers parts of /proc. Run it outside, or start a Docker or Podman ' +
    'container with "--security-opt systempaths=unconfined".',
  too_old:
    'This bubblewrap lacks an option that is needed, or is installed setuid root. Install 0.8 or newer, without the setuid bit.',
  path: 'Every path of a profile must exist and be free of symbolic links; give the real path.',
  unsupported_system:
    'Run Remit on Linux (x86_64 or aarch64) with bubblewrap, or allow unsandboxed runs explicitly and accept that nothing confines them.',
  unknown:
    'Run "bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true" by hand to see what this system refuses.',
};

/** In order: the first that matches. The words are bubblewrap's own (0.4 to 0.11). */
const SIGNS: readonly (readonly [RegExp, LauncherCause])[] = [
  [
    /setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR|Failed to make \/ slave: Permission denied/,
    'apparmor',
  ],
  [
    /No permissions to create(?: a)? new namespace|Creating new namespace failed|unprivileged user namespaces/i,
    'user_namespaces',
  ],
  [/setting up uid map|setting up gid map|Unexpected capabilities/i, 'user_namespaces'],
  [/mount proc|mounting proc|\/newroot\/proc/i, 'proc_refused'],
  [/Unknown option|not permitted in setuid mode/i, 'too_old'],
  [/Can't find source path|Can't (?:create|mkdir|bind mount|mount)|Can't get type of source/i, 'path'],
];

/** The launcher's own failure in what came out of its stderr, or `undefined` when it says nothing of one. */
export function launcherFailure(stderr: string): LauncherFailure | undefined {
  const line = stderr.split('\n').find((text) => text.startsWith('bwrap: ') && !text.startsWith('bwrap: execvp'));
  return line === undefined ? undefined : describeFailure(causeOf(line), line);
}

export function describeFailure(cause: LauncherCause, reason: string): LauncherFailure {
  return { cause, reason: visibleLine(reason.trim()).slice(0, 500), advice: ADVICE[cause] };
}

export function causeOf(text: string): LauncherCause {
  return SIGNS.find(([sign]) => sign.test(text))?.[1] ?? 'unknown';
}
