import { posix } from 'node:path';
import picomatch from 'picomatch';
import { z } from 'zod';
import { pathOfFileUri } from './file-uri.ts';

/** The key in `_meta` of a call, sent to servers that advertise the experimental capability of the same name. */
export const CODEX_SANDBOX_KEY = 'codex/sandbox-state-meta';

/** What Codex's sandbox lets the caller do in its working directory. */
export type CodexAccess =
  | { readonly kind: 'access'; readonly directory: string; readonly writable: boolean; readonly network: boolean }
  | { readonly kind: 'no_access'; readonly directory: string }
  | { readonly kind: 'malformed'; readonly problem: string };

const absolutePath = z.string().startsWith('/').max(8_192);

const specialPath = z.looseObject({ kind: z.string(), subpath: z.string().max(8_192).nullish() });

const entry = z.looseObject({
  path: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('path'), path: absolutePath }),
    z.looseObject({ type: z.literal('glob_pattern'), pattern: z.string().min(1).max(4_096) }),
    z.looseObject({ type: z.literal('special'), value: specialPath }),
  ]),
  access: z.enum(['read', 'write', 'deny', 'none']),
});

const network = z.enum(['enabled', 'restricted']);

const permissionProfile = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('managed'),
    file_system: z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('restricted'), entries: z.array(entry).max(10_000) }),
      z.looseObject({ type: z.literal('unrestricted') }),
    ]),
    network,
  }),
  z.looseObject({ type: z.literal('disabled') }),
  z.looseObject({ type: z.literal('external'), network }),
]);

/** What Codex sent before it had permission profiles. */
const sandboxPolicy = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('danger-full-access') }),
  z.looseObject({ type: z.literal('read-only'), network_access: z.boolean().default(false) }),
  z.looseObject({ type: z.literal('external-sandbox'), network_access: network.default('restricted') }),
  z.looseObject({ type: z.literal('workspace-write'), network_access: z.boolean().default(false) }),
]);

const sandboxState = z.looseObject({
  sandboxCwd: z.string().min(1),
  permissionProfile: permissionProfile.nullish(),
  sandboxPolicy: sandboxPolicy.nullish(),
});

type Entry = z.output<typeof entry>;

/** Reads Codex's state strictly: what is not understood is malformed, never writable. */
export function readCodexAccess(state: unknown): CodexAccess {
  const parsed = sandboxState.safeParse(state);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      kind: 'malformed',
      problem: `${issue?.path.join('.') || 'the value'} is not as expected (${issue?.message})`,
    };
  }
  const { sandboxCwd, permissionProfile: profile, sandboxPolicy: policy } = parsed.data;
  const directory = directoryOf(sandboxCwd);
  if (directory === undefined) return { kind: 'malformed', problem: 'sandboxCwd is no file URI of a local directory' };
  if (profile) return underProfile(profile, directory);
  if (policy) return { kind: 'access', directory, ...underPolicy(policy) };
  return { kind: 'malformed', problem: 'permissionProfile is missing' };
}

/** A file URI; in the older form a plain absolute path. */
function directoryOf(cwd: string): string | undefined {
  if (!cwd.startsWith('/')) return pathOfFileUri(cwd);
  return cwd.includes('\0') ? undefined : trimmed(cwd);
}

function underPolicy(policy: z.output<typeof sandboxPolicy>): { writable: boolean; network: boolean } {
  switch (policy.type) {
    case 'danger-full-access':
      return { writable: true, network: true };
    case 'external-sandbox':
      return { writable: true, network: policy.network_access === 'enabled' };
    case 'workspace-write':
      return { writable: true, network: policy.network_access };
    case 'read-only':
      return { writable: false, network: policy.network_access };
  }
}

function underProfile(profile: z.output<typeof permissionProfile>, directory: string): CodexAccess {
  if (profile.type === 'disabled') return { kind: 'access', directory, writable: true, network: true };
  const hasNetwork = profile.network === 'enabled';
  if (profile.type === 'external' || profile.file_system.type === 'unrestricted') {
    return { kind: 'access', directory, writable: true, network: hasNetwork };
  }
  const verdict = accessTo(directory, profile.file_system.entries);
  if (verdict === 'unknown')
    return { kind: 'malformed', problem: 'an entry denies a place that this version does not know' };
  if (verdict === 'none') return { kind: 'no_access', directory };
  return { kind: 'access', directory, writable: verdict === 'write', network: hasNetwork };
}

/** Where two entries are equally near, deny beats write and write beats read: Codex's own rule. */
const STRENGTH = { read: 0, write: 1, deny: 2 } as const;

/**
 * The nearest entry that covers the directory decides, as in Codex: so a writable parent does not lift a read-only
 * entry at or above the directory, and a read-only folder inside the directory (`.git`) does not touch it.
 */
function accessTo(directory: string, entries: readonly Entry[]): 'read' | 'write' | 'none' | 'unknown' {
  let best: { depth: number; access: keyof typeof STRENGTH } | undefined;
  for (const { path, access: given } of entries) {
    const access = given === 'none' ? 'deny' : given;
    const depth = coverage(path, access, directory);
    if (depth === 'unknown' && access === 'deny') return 'unknown';
    if (depth === 'unknown' || depth === undefined) continue;
    const isNearer =
      best === undefined || depth > best.depth || (depth === best.depth && STRENGTH[access] > STRENGTH[best.access]);
    if (isNearer) best = { depth, access };
  }
  return best === undefined || best.access === 'deny' ? 'none' : best.access;
}

/** How near an entry that covers the directory is, in path components; undefined: it does not cover it. */
function coverage(
  path: Entry['path'],
  access: keyof typeof STRENGTH,
  directory: string,
): number | 'unknown' | undefined {
  switch (path.type) {
    case 'path':
      return depthIfWithin(path.path, directory);
    case 'glob_pattern':
      return depthOfPattern(path.pattern, access, directory);
    case 'special':
      return depthOfSpecial(path.value, directory);
  }
}

function depthOfSpecial(
  { kind, subpath }: z.output<typeof specialPath>,
  directory: string,
): number | 'unknown' | undefined {
  switch (kind) {
    case 'root':
      return 0;
    case 'slash_tmp':
      return depthIfWithin('/tmp', directory);
    case 'project_roots':
    case 'current_working_directory':
      return depthIfWithin(posix.join(directory, subpath ?? ''), directory);
    case 'minimal':
      // Places of the system that programs need to start: never a working directory.
      return undefined;
    default:
      // `tmpdir` too: it is Codex's own $TMPDIR, which is not told. A grant there is not used, a denial is refused.
      return 'unknown';
  }
}

/** A grant counts only for a pattern of everything below the directory, a denial as soon as anything directly in it matches. */
function depthOfPattern(pattern: string, access: keyof typeof STRENGTH, directory: string): number | undefined {
  const isAbsolute = pattern.startsWith('/');
  const base = isAbsolute ? directory : '/cwd';
  const matches = picomatch(isAbsolute ? pattern : posix.join('/cwd', pattern), { dot: true, nonegate: true });
  const covers =
    access === 'deny'
      ? matches(base) || matches(`${base}/any-name-of-a-file`)
      : matches(base) && matches(`${base}/any/name-of-a-file`);
  if (!covers) return undefined;
  const literal = isAbsolute ? picomatch.scan(pattern).base : directory;
  return componentsOf(literal).length;
}

/** Compares whole components: `/home/me/repo` does not cover `/home/me/repository`. */
function depthIfWithin(outer: string, directory: string): number | undefined {
  const outerParts = componentsOf(outer);
  const parts = componentsOf(directory);
  return outerParts.every((part, index) => part === parts[index]) ? outerParts.length : undefined;
}

function componentsOf(path: string): string[] {
  return posix
    .normalize(path)
    .split('/')
    .filter((part) => part !== '');
}

function trimmed(path: string): string {
  return `/${componentsOf(path).join('/')}`;
}
