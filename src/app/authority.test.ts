import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveAuthority } from './authority.ts';
import { pathOfFileUri } from './file-uri.ts';

const CWD = '/home/me/repo';
type Access = 'read' | 'write' | 'deny' | 'none';
const path = (where: string, access: Access) => ({ path: { type: 'path', path: where }, access });
const glob = (pattern: string, access: Access) => ({ path: { type: 'glob_pattern', pattern }, access });
const special = (kind: string, access: Access, subpath?: string) => ({
  path: { type: 'special', value: { kind, ...(subpath === undefined ? {} : { subpath }) } },
  access,
});
const managed = (entries: unknown, network: unknown = 'restricted') => ({
  type: 'managed',
  file_system: { type: 'restricted', entries },
  network,
});
const state = (permissionProfile: unknown, sandboxCwd: unknown = `file://${CWD}`) => ({
  permissionProfile,
  sandboxCwd,
  codexLinuxSandboxExe: '/opt/codex',
  useLegacyLandlock: false,
});
const fromCodex = (sandboxState: unknown) =>
  resolveAuthority({
    meta: { progressToken: 1, 'codex/sandbox-state-meta': sandboxState },
    roots: ['file:///from/roots'],
    launchRoots: ['/from/launch'],
  });
const rootRead = special('root', 'read');

describe('what Codex lets its caller do', () => {
  test('is read from the state that it sends in workspace-write', () => {
    const entries = [
      rootRead,
      path(CWD, 'write'),
      special('slash_tmp', 'write'),
      special('tmpdir', 'write'),
      { ...path(`${CWD}/.git`, 'read'), missing_path_behavior: 'skip' },
    ];
    expect(fromCodex(state(managed(entries)))).toEqual({
      kind: 'granted',
      directories: [CWD],
      writable: true,
      network: false,
      source: 'codex',
    });
  });

  test.each([
    ['disabled', { type: 'disabled' }, true, true],
    ['external', { type: 'external', network: 'restricted' }, true, false],
    ['external with network', { type: 'external', network: 'enabled' }, true, true],
    [
      'unrestricted files',
      { type: 'managed', file_system: { type: 'unrestricted' }, network: 'restricted' },
      true,
      false,
    ],
    ['read-only', managed([rootRead]), false, false],
    ['read-only with network', managed([rootRead], 'enabled'), false, true],
    ['everything writable', managed([special('root', 'write')]), true, false],
    ['project_roots', managed([rootRead, special('project_roots', 'write')]), true, false],
    [
      'the older name of project_roots',
      managed([rootRead, special('current_working_directory', 'write')]),
      true,
      false,
    ],
    ['only a part of the project', managed([rootRead, special('project_roots', 'write', 'src')]), false, false],
    ['a writable parent', managed([rootRead, path('/home/me/', 'write')]), true, false],
    ['a parent written with dots', managed([rootRead, path('/home/you/../me', 'write')]), true, false],
    ['a writable sibling by prefix', managed([rootRead, path('/home/me/rep', 'write')]), false, false],
    ['a writable child', managed([rootRead, path(`${CWD}/src`, 'write')]), false, false],
    ['a read-only child', managed([path(CWD, 'write'), path(`${CWD}/.git`, 'read')]), true, false],
    ['write and read of one place', managed([path(CWD, 'read'), path(CWD, 'write')]), true, false],
    [
      'a read-only place inside a writable one',
      managed([path('/home', 'write'), path('/home/me', 'read')]),
      false,
      false,
    ],
    [
      'only temporary folders writable',
      managed([rootRead, special('slash_tmp', 'write'), special('tmpdir', 'write')]),
      false,
      false,
    ],
    ['a kind of a later Codex', managed([rootRead, special('moon_base', 'write')]), false, false],
    ['minimal', managed([rootRead, special('minimal', 'write')]), false, false],
    ['a pattern of everything below', managed([rootRead, glob(`${CWD}/**`, 'write')]), true, false],
    ['a relative pattern of everything', managed([rootRead, glob('**', 'write')]), true, false],
    ['a pattern of one level', managed([rootRead, glob('/home/me/*', 'write')]), false, false],
    ['a pattern of some files', managed([rootRead, glob('**/*.ts', 'write')]), false, false],
    ['denied secrets in a writable project', managed([path(CWD, 'write'), glob('**/.env', 'deny')]), true, false],
    ['denied elsewhere', managed([path(CWD, 'write'), path('/home/me/.ssh', 'none')]), true, false],
  ])('is known for %s', (_, profile, writable, network) => {
    expect(fromCodex(state(profile))).toMatchObject({ kind: 'granted', directories: [CWD], writable, network });
  });

  test.each([
    ['nothing covers the directory', managed([path('/elsewhere', 'write')])],
    ['the directory is denied', managed([special('root', 'write'), path(CWD, 'deny')])],
    ['write and deny of one place', managed([path(CWD, 'write'), path(CWD, 'none')])],
    ['every file in it is denied', managed([path(CWD, 'write'), glob(`${CWD}/**/*`, 'deny')])],
  ])('is no access when %s', (_, profile) => {
    expect(fromCodex(state(profile))).toMatchObject({ kind: 'refused', code: 'read_only_sandbox' });
  });

  test('covers a directory under /tmp by the special entry', () => {
    const profile = managed([rootRead, special('slash_tmp', 'write')]);
    expect(fromCodex(state(profile, 'file:///tmp/work'))).toMatchObject({ writable: true });
    expect(fromCodex(state(profile, 'file:///tmpwork'))).toMatchObject({ writable: false });
  });

  test.each([
    ['danger-full-access', {}, true, true],
    ['read-only', {}, false, false],
    ['workspace-write', { writable_roots: [], network_access: true }, true, true],
    ['workspace-write', {}, true, false],
    ['external-sandbox', { network_access: 'restricted' }, true, false],
  ])('is read from the older form %s %j', (type, more, writable, network) => {
    const older = { sandboxPolicy: { type, ...more }, sandboxCwd: `${CWD}/` };
    expect(fromCodex(older)).toMatchObject({ kind: 'granted', directories: [CWD], writable, network });
  });

  test('is told by the profile where both forms are sent', () => {
    const both = { ...state(managed([rootRead])), sandboxPolicy: { type: 'danger-full-access' } };
    expect(fromCodex(both)).toMatchObject({ writable: false, network: false });
  });

  const writable = managed([path(CWD, 'write')]);
  test.each([
    ['null', null],
    ['text', 'workspace-write'],
    ['no directory', { permissionProfile: writable }],
    ['no profile', { sandboxCwd: `file://${CWD}` }],
    ['a profile as text', state('workspace-write')],
    ['a profile of an unknown type', state({ type: 'free' })],
    ['unknown file system', state({ type: 'managed', file_system: { type: 'open' }, network: 'restricted' })],
    ['missing network', state({ type: 'managed', file_system: { type: 'unrestricted' } })],
    ['unknown network', state(managed([path(CWD, 'write')], 'some'))],
    ['entries that are no list', state(managed({}))],
    ['an unknown access', state(managed([{ ...path(CWD, 'write'), access: 'append' }]))],
    [
      'an unknown path type',
      state(managed([{ path: { type: 'regex', value: '.*' }, access: 'write' }, path(CWD, 'write')])),
    ],
    ['a relative entry', state(managed([path('repo', 'write'), path(CWD, 'write')]))],
    ['a denial whose place is unknown', state(managed([path(CWD, 'write'), special('tmpdir', 'deny')]))],
    ['a relative directory', state(writable, 'repo')],
    ['a directory on another host', state(writable, 'file://server/home/me/repo')],
    ['a directory with dots', state(writable, 'file:///home/me/x/../repo')],
    ['an unknown older policy', { sandboxPolicy: { type: 'free' }, sandboxCwd: CWD }],
  ])('is refused, never guessed, for %s', (_, sandboxState) => {
    expect(fromCodex(sandboxState)).toMatchObject({ kind: 'refused', code: 'missing_sandbox_metadata' });
  });

  test('is never an exception, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, profile) => {
        expect(fromCodex(value).kind).toBe('refused');
        const nested = fromCodex(state(profile));
        expect(nested.kind === 'refused' || nested.source === 'codex').toBe(true);
      }),
    );
  });
});

describe('without Codex', () => {
  const facts = { meta: { progressToken: 1 }, roots: undefined, launchRoots: [] };

  test('the roots of the client come before those of the operator', () => {
    const roots = ['file:///home/me/repo/', 'file:///home/me/a%20b', 'file:///home/me/repo'];
    expect(resolveAuthority({ ...facts, roots, launchRoots: ['/srv'] })).toEqual({
      kind: 'granted',
      directories: ['/home/me/repo', '/home/me/a b'],
      writable: true,
      network: true,
      source: 'roots',
    });
  });

  test.each([[undefined], [[]]])('the roots of the operator serve when the client answers %j', (roots) => {
    expect(resolveAuthority({ ...facts, meta: undefined, roots, launchRoots: ['/srv/a', '/srv/b'] })).toMatchObject({
      directories: ['/srv/a', '/srv/b'],
      source: 'launch',
    });
  });

  test('a root that is no local directory is refused, also beside good ones and with an operator', () => {
    const roots = ['file:///home/me/repo', 'https://example.test/repo'];
    const answer = resolveAuthority({ ...facts, roots, launchRoots: ['/srv'] });
    expect(answer).toMatchObject({ kind: 'refused', code: 'invalid_request' });
    expect(JSON.stringify(answer)).toContain('https://example.test/repo');
  });

  test('nobody who says nothing may act', () => {
    expect(resolveAuthority(facts)).toMatchObject({ kind: 'refused', code: 'missing_sandbox_metadata' });
  });
});

describe('a file URI', () => {
  test.each([
    ['file:///', '/'],
    ['file:///home/me/repo', '/home/me/repo'],
    ['FILE:///home//me/', '/home/me'],
    ['file:///home/me/a%20b%23c%25', '/home/me/a b#c%'],
    ['file:///home/me/caf%C3%A9', '/home/me/café'],
    ['file:///home/me/日本', '/home/me/日本'],
    ['file:///a/C:/b', '/a/C:/b'],
  ])('%s is %s', (uri, expected) => {
    expect(pathOfFileUri(uri)).toBe(expected);
  });

  test.each([
    'file://localhost/home',
    'file://server/share',
    'file:/home/me',
    'file:home',
    '/home/me',
    'file:///C:/Users/me',
    'file:///c%3A/Users/me',
    'file:///c|/Users',
    'file:///home/me?x',
    'file:///home/me#x',
    'file:///home/../etc',
    'file:///home/%2e%2E/etc',
    'file:///home/./me',
    'file:///home%2Fme',
    'file:///home/%00',
    'file:///home/%0A',
    'file:///home/%E9',
    'file:///home/%',
    'file:///home/%zz',
    ' file:///home',
    'vscode-remote:///home/me',
    '',
  ])('%j names no directory here', (uri) => {
    expect(pathOfFileUri(uri)).toBeUndefined();
  });

  test('round-trips every ordinary path', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter(
        (text) => !/[/\u0000-\u001f\u007f]/.test(text) && text !== '.' && text !== '..' && !/^[A-Za-z][:|]$/.test(text),
      );
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        expect(pathOfFileUri(`file:///${segments.map(encodeURIComponent).join('/')}`)).toBe(`/${segments.join('/')}`);
      }),
    );
  });
});
