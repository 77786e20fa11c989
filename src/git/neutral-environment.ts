/**
 * The environment and the settings of every Git call. Git runs programs that a repository, or a configuration that a
 * worker may have written, names in many places; each of them is switched off here by name.
 */

/** Settings that outrank every configuration file, because they come from the environment. Sources: git-config(1), githooks(5). */
const NEUTRAL_SETTINGS: readonly (readonly [string, string])[] = [
  // Programs that configuration can name.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['sequence.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', 'true'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['interactive.diffFilter', ''],
  ['gpg.program', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  // A reflog is one more file that a planted link could lead elsewhere.
  ['core.logAllRefUpdates', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // What a file is, seen truly: these settings make Git believe an index or a disk instead of looking.
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
  ['core.ignoreStat', 'false'],
  ['core.sparseCheckout', 'false'],
  ['core.sparseCheckoutCone', 'false'],
  ['index.sparse', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.splitIndex', 'false'],
  // A tree with `.GIT` or `git~1` in it attacks whoever checks it out on another disk.
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  // What would change the text of an answer.
  ['core.quotePath', 'false'],
  ['core.safecrlf', 'false'],
  ['color.ui', 'false'],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.renames', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['diff.relative', 'false'],
  ['status.relativePaths', 'false'],
  ['advice.detachedHead', 'false'],
  ['advice.graftFileDeprecated', 'false'],
  // An identity that Git makes up from the machine's name belongs to nobody.
  ['user.useConfigOnly', 'true'],
];

const FIXED_VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_ALLOW_PROTOCOL: '',
  // One answer on every machine: attributes come from the tree, the repository and the user.
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_SSH_COMMAND: 'false',
  GIT_TRACE: '0',
  GIT_TRACE2: '0',
  GIT_TRACE2_EVENT: '0',
  GIT_TRACE2_PERF: '0',
};

export type Setting = readonly [key: string, value: string];

/** The fixed variables, and the neutral settings with `extra` after them. Nothing of the host's environment is in it. */
export function neutralEnvironment(extra: readonly Setting[]): Record<string, string> {
  const settings = [...NEUTRAL_SETTINGS, ...platformSettings(), ...extra];
  const environment: Record<string, string> = { ...FIXED_VARIABLES, GIT_CONFIG_COUNT: String(settings.length) };
  settings.forEach(([key, value], at) => {
    environment[`GIT_CONFIG_KEY_${at}`] = key;
    environment[`GIT_CONFIG_VALUE_${at}`] = value;
  });
  return environment;
}

function platformSettings(): readonly Setting[] {
  // On macOS the repository's own values say what its disk does.
  return process.platform === 'linux'
    ? [
        ['core.ignoreCase', 'false'],
        ['core.precomposeUnicode', 'false'],
      ]
    : [];
}
