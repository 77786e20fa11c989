import { isAbsolute } from 'node:path';

/** The same for everybody, so that a result does not depend on who ran it: no colour, no questions, no pager. */
const FIXED: Readonly<Record<string, string>> = {
  CI: '1',
  GIT_TERMINAL_PROMPT: '0',
  // Inside, the user may have no entry in the list of users, and some programs do not start without a name.
  LOGNAME: 'remit',
  NO_COLOR: '1',
  TERM: 'dumb',
  USER: 'remit',
};

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Names that make a loader, an interpreter, a shell, Git or a pager run what they name. No allowlist lifts them: with
 * them, whoever can set an environment changes what "run the tests" means.
 */
const DENIED: readonly RegExp[] = [
  /^(?:LD|DYLD)_/,
  /^(?:GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_TRACE|HOSTALIASES|RESOLV_HOST_CONF)$/,
  /^(?:BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|PS[0-4]|SHELLOPTS|BASHOPTS|IFS|CDPATH|GLOBIGNORE|FPATH)$/,
  /^BASH_FUNC_/,
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|ELECTRON_RUN_AS_NODE|BUN_OPTIONS|DENO_.*)$/,
  /^PYTHON(?:STARTUP|PATH|HOME|USERBASE|INSPECT|BREAKPOINT|WARNINGS|EXECUTABLE|PLATLIBDIR|PYCACHEPREFIX|DEBUG)$/,
  /^(?:PERL.*|RUBYOPT|RUBYLIB|RUBYSHELL|LUA_(?:INIT|PATH|CPATH).*|PHPRC|PHP_INI_SCAN_DIR|TCLLIBPATH)$/,
  /^(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|JAVA_OPTS)$/,
  /^(?:DOTNET_STARTUP_HOOKS|CORECLR_.*|COR_.*|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC.*|GOFLAGS|GOENV)$/,
  /^(?:GIT_|SSH_|GPG_|GNUPG|SUDO_|DBUS_)/,
  /^npm_config_/i,
  /^(?:YARN_|PNPM_|COREPACK_)/,
  /^(?:PAGER|MANPAGER|LESS.*|EDITOR|VISUAL|BROWSER|SHELL|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES)$/,
];

/**
 * The environment of a verification command: PATH less its relative entries (a worktree could plant programs in those),
 * the locale and time zone of the host, fixed answers for tools that would ask or colour, and what the operator's
 * allowlist names, except what no allowlist can lift. HOME and the temporary folders are the sandbox's to set.
 */
export function verificationEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  allowlist: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of allowlist) {
    const value = hostEnv[name];
    if (value !== undefined && mayPass(name)) environment[name] = value;
  }
  return {
    ...environment,
    ...FIXED,
    PATH: absoluteEntries(hostEnv['PATH'] ?? ''),
    LANG: hostEnv['LANG'] || 'C.UTF-8',
    TZ: hostEnv['TZ'] || 'UTC',
  };
}

/** Whether an operator may let a variable of this name through to what runs in the box. */
export function mayPass(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !DENIED.some((pattern) => pattern.test(name));
}

function absoluteEntries(path: string): string {
  return (
    path
      .split(':')
      .filter((entry) => isAbsolute(entry))
      .join(':') || DEFAULT_PATH
  );
}
