/**
 * The real clients read what `remit mcp install --apply` wrote into an empty home. They reach nothing beyond loopback: their
 * proxy is a closed port, and what they would report or update is switched off. Cursor, Visual Studio Code and Zed cannot be
 * asked here: they are desktop programs and are not on the package registry.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClientName } from '../../src/cli/clients/names.ts';
import { CLIENTS as TABLE } from '../../src/cli/clients/table.ts';
import { installed, installedVersion } from '../shared/installed.ts';

const REMIT = fileURLToPath(new URL('../../bin/remit', import.meta.url));
const CLOSED = 'http://127.0.0.1:9';

interface RealClient {
  readonly id: ClientName;
  readonly packageName: string;
  /** How it says that it knows the server, each a command line of its own with what the answer must contain. */
  readonly says: readonly (readonly [words: string, answer: RegExp])[];
  /** The variable that moves its configuration, and where that lies then. */
  readonly moved: readonly [variable: string, file: string];
  /** Whether its own command writes the very same entry. */
  readonly ownCommand?: 'the same entry' | 'an entry without what it cannot set';
}

const CLIENTS: readonly RealClient[] = [
  {
    id: 'codex',
    packageName: '@openai/codex',
    says: [
      ['codex mcp list', /remit +\S*\/bin\/remit +serve .*enabled/],
      ['codex mcp get remit', /tool_timeout_sec: 900\n.*default_tools_approval_mode: approve/],
    ],
    moved: ['CODEX_HOME', 'moved/config.toml'],
    ownCommand: 'an entry without what it cannot set',
  },
  {
    id: 'claude',
    packageName: '@anthropic-ai/claude-code',
    says: [
      ['claude mcp list', /remit: \S*\/bin\/remit serve - .* Connected/],
      ['claude mcp get remit', /Scope: User config[\s\S]*Timeout: 900000ms/],
    ],
    moved: ['CLAUDE_CONFIG_DIR', 'moved/.claude.json'],
    ownCommand: 'the same entry',
  },
  {
    id: 'gemini',
    packageName: '@google/gemini-cli',
    says: [['gemini mcp list', /remit: \S*\/bin\/remit serve \(stdio\) - Connected/]],
    moved: ['GEMINI_CLI_HOME', 'moved/.gemini/settings.json'],
    ownCommand: 'the same entry',
  },
  {
    id: 'opencode',
    packageName: 'opencode-ai',
    says: [['opencode mcp list', /✓ remit connected[\s\S]*\/bin\/remit serve/]],
    moved: ['XDG_CONFIG_HOME', 'moved/opencode/opencode.jsonc'],
    ownCommand: 'an entry without what it cannot set',
  },
];

function makeHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'remit-registration-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  mkdirSync(join(home, 'project'));
  mkdirSync(join(home, 'moved'));
  return home;
}

function run(home: string, argv: readonly string[], variables: Record<string, string>) {
  const [program = '', ...words] = argv;
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: 120_000,
    cwd: join(home, 'project'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [dirname(process.execPath), installed('.bin'), '/usr/bin', '/bin'].join(':'),
      HOME: home,
      NO_COLOR: '1',
      HTTP_PROXY: CLOSED,
      HTTPS_PROXY: CLOSED,
      NO_PROXY: '127.0.0.1,localhost',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      ...variables,
    },
  });
  // opencode colours its text without a terminal too.
  return { status, error, out: stdout.replace(/\u001b\[[\d;]*m/g, ''), err: stderr };
}

function installInto(
  home: string,
  id: string,
  variables: Record<string, string> = {},
  words: readonly string[] = ['--apply'],
) {
  const { status, out, err } = run(home, [REMIT, 'mcp', 'install', id, '--json', ...words], variables);
  expect(err).toBe('');
  expect(status).toBe(0);
  return JSON.parse(out);
}

function title({ packageName }: RealClient, version: string | undefined): string {
  return `${packageName} ${version ?? 'is not installed: make interop'}`;
}

for (const client of CLIENTS) {
  const version = installedVersion(client.packageName);
  describe.skipIf(version === undefined)(title(client, version), { timeout: 180_000 }, () => {
    const [variable, movedFile] = client.moved;

    test('is the version that the documentation names as tried', () => {
      expect(TABLE[client.id].tried).toBe(version);
    });

    test.each([
      ['in its own home', {}],
      [`where ${variable} leads`, { [variable]: 'moved' }],
    ])('knows the server that was registered %s', (_where, moved) => {
      const home = makeHome();
      const variables = Object.fromEntries(Object.entries(moved).map(([name, folder]) => [name, join(home, folder)]));
      const { file } = installInto(home, client.id, variables);
      if (variable in variables) expect(file).toBe(join(home, movedFile));
      for (const [words, answer] of client.says) {
        const { status, error, out, err } = run(home, words.split(' '), variables);
        expect({ status, error }).toEqual({ status: 0, error: undefined });
        expect(out + err).toMatch(answer);
      }
      expect(installInto(home, client.id, variables).change).toBe('none');
      expect(readFileSync(file, 'utf8')).toContain(REMIT);
    });

    const { ownCommand } = client;
    if (ownCommand !== undefined)
      test(`writes ${ownCommand} by its own command`, () => {
        const home = makeHome();
        const { command } = installInto(home, client.id, {}, []);
        expect(run(home, command, {}).status).toBe(0);
        const { change } = installInto(home, client.id, {}, ['--replace']);
        expect(change).toBe(ownCommand === 'the same entry' ? 'none' : 'replace');
      });
  });
}
