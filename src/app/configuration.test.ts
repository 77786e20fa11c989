import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { workerProgramPath } from '../agent/index.ts';
import { RemitError } from '../base/index.ts';
import { type Configuration, type ConfigurationSources, loadConfiguration } from './configuration.ts';
import { SETTING_NAMES, SETTINGS, type Setting, settingsFileSchema } from './settings.ts';

let home: string;
let bin: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'remit-configuration-')));
  bin = join(home, 'bin');
  mkdirSync(bin);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

type Given = { flags?: ConfigurationSources['flags']; env?: Record<string, string>; file?: unknown };

function load({ flags = {}, env = {}, file }: Given = {}): Configuration {
  if (file !== undefined) writeFile(typeof file === 'string' ? file : JSON.stringify(file));
  return loadConfiguration({ flags, environment: { PATH: bin, ...env }, homeDirectory: home });
}

function writeFile(text: string, path = join(home, '.config/remit/config.json')): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function program(name: string, directory = bin): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
  return path;
}

function refusal(given: Given): string {
  try {
    load(given);
  } catch (error) {
    if (error instanceof RemitError && error.code === 'invalid_request') return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('a setting', () => {
  test('has its default when nothing is given', () => {
    expect(load()).toMatchObject({
      stateDirectory:
        process.platform === 'darwin'
          ? join(home, 'Library/Application Support/remit')
          : join(home, '.local/state/remit'),
      file: join(home, '.config/remit/config.json'),
      reasoningEffort: 'medium',
      network: true,
      environmentAllowlist: [],
      secretScannerArgv: undefined,
      allowUnsandboxed: false,
      waitSecondsWithProgress: 280,
      waitSecondsWithoutProgress: 50,
      maxWorkers: 4,
      roots: [],
      logLevel: 'info',
      warnings: [],
    });
  });

  test('is taken from flag, variable, older variable, file, in this order', () => {
    const given = {
      flags: { reasoningEffort: 'max' },
      env: { REMIT_EFFORT: 'high', CODEX_REASONIX_EFFORT: 'low' },
      file: { reasoningEffort: 'medium' },
    };
    expect(load(given).reasoningEffort).toBe('max');
    expect(load({ ...given, flags: {} }).reasoningEffort).toBe('high');
    expect(load({ ...given, flags: {}, env: { CODEX_REASONIX_EFFORT: 'low' } }).reasoningEffort).toBe('low');
    expect(
      load({ ...given, flags: {}, env: { REMIT_EFFORT: '' }, file: { reasoningEffort: 'high' } }).reasoningEffort,
    ).toBe('high');
  });

  test.each([
    ['REMIT_STATE_DIR', '/srv/../state/', 'stateDirectory', '/state'],
    ['CODEX_REASONIX_STATE_DIR', '/state', 'stateDirectory', '/state'],
    ['REMIT_NETWORK', '0', 'network', false],
    ['CODEX_REASONIX_NETWORK', 'off', 'network', false],
    ['CODEX_REASONIX_NETWORK', 'on', 'network', true],
    ['CODEX_REASONIX_EFFORT', 'minimal', 'reasoningEffort', 'low'],
    ['CODEX_REASONIX_ENV_ALLOWLIST', 'CI, JAVA_HOME,', 'environmentAllowlist', ['CI', 'JAVA_HOME']],
    ['CODEX_REASONIX_SECRET_SCANNER_ARGV', '["scan","--all"]', 'secretScannerArgv', ['scan', '--all']],
    ['CODEX_REASONIX_ALLOW_UNSANDBOXED', 'true', 'allowUnsandboxed', true],
    ['REMIT_WAIT_SECONDS_WITH_PROGRESS', '900', 'waitSecondsWithProgress', 900],
    ['REMIT_MAX_WORKERS', '2', 'maxWorkers', 2],
    ['REMIT_ROOTS', '/a:/b/', 'roots', ['/a', '/b']],
    ['REMIT_LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ])('may be given as %s=%s', (variable, text, key, expected) => {
    expect(load({ env: { [variable]: text } })).toHaveProperty(key, expected);
  });

  test.each([
    ['REMIT_NETWORK', 'yes', 'must be 1, true, 0 or false'],
    ['REMIT_NETWORK', 'TRUE', 'must be 1, true, 0 or false'],
    ['REMIT_NETWORK', 'on', 'must be 1, true, 0 or false'],
    ['CODEX_REASONIX_ALLOW_UNSANDBOXED', 'yes', 'must be 1, true, 0 or false'],
    ['REMIT_STATE_DIR', '~/state', '~ is not expanded'],
    ['REMIT_STATE_DIR', 'state', 'must be an absolute path'],
    ['REMIT_ROOTS', '/a:b', 'must be an absolute path'],
    ['REMIT_MAX_WORKERS', '0', ''],
    ['REMIT_MAX_WORKERS', '1e3', 'must be a whole number'],
    ['REMIT_LOG_LEVEL', 'loud', 'debug'],
    ['REMIT_ENVIRONMENT_ALLOWLIST', 'CI,A-B', 'name of an environment variable'],
    ['REMIT_ENVIRONMENT_ALLOWLIST', 'CI,NODE_OPTIONS', 'NODE_OPTIONS never reaches'],
    ['CODEX_REASONIX_ENV_ALLOWLIST', 'LD_PRELOAD', 'LD_PRELOAD never reaches'],
    ['REMIT_SECRET_SCANNER_ARGV', 'scan --all', 'must be JSON'],
    ['REMIT_SECRET_SCANNER_ARGV', '[]', ''],
    ['REMIT_CONFIG', '~/config.json', 'absolute path'],
  ])('is refused by name as %s=%s', (variable, text, words) => {
    const message = refusal({ env: { [variable]: text } });
    expect(message).toContain(variable);
    expect(message).toContain(words);
  });

  test('as a flag may be text, a boolean or a list, and is refused by the flag', () => {
    const flags = { roots: ['/a', '/b'], allowUnsandboxed: true, network: 'false', maxWorkers: '3' };
    expect(load({ flags })).toMatchObject({
      roots: ['/a', '/b'],
      allowUnsandboxed: true,
      network: false,
      maxWorkers: 3,
    });
    expect(refusal({ flags: { roots: ['~/a'] } })).toContain('--root');
    expect(refusal({ flags: { maxWorkers: true } })).toContain('--max-workers');
  });

  test('that has no effect or is dangerous is said', () => {
    const { warnings } = load({
      env: { CODEX_REASONIX_RUN_GIT_HOOKS: 'true', REMIT_ALLOW_UNSANDBOXED: '1', XDG_STATE_HOME: 'state' },
      file: { workers: { a: { adapter: 'acp', command: ['a'], writable: ['/cache'] } } },
    });
    expect(warnings.map((warning) => warning.slice(0, 40))).toHaveLength(4);
    const own = { adapter: 'builtin', model: 'anthropic:claude', apiKey: 'key' };
    load({ file: { workers: { own } } });
    chmodSync(join(home, '.config/remit/config.json'), 0o644);
    const keys = load({ env: { REMIT_ENVIRONMENT_ALLOWLIST: 'REMIT_API_KEY,LANG' }, file: { workers: { own } } });
    expect(keys.warnings.join('\n')).toMatch(
      /Other users can read the key in .*chmod 600[\s\S]*hands REMIT_API_KEY to/,
    );
    expect(keys.warnings.join('\n')).not.toContain('"key"');
    expect(warnings.join('\n')).toMatch(
      /hooks of a repository never run[\s\S]*allowUnsandboxed[\s\S]*XDG_STATE_HOME[\s\S]*\/cache/,
    );
  });

  test('is described, once, with all of its names', () => {
    const names = SETTING_NAMES.flatMap((name) => {
      const { flag, variable, older, schema }: Setting = SETTINGS[name];
      expect(schema.description, name).toMatch(/\.$/);
      return [flag, variable, older?.variable].filter((label) => label !== undefined);
    });
    expect(new Set(names).size).toBe(names.length);
    const described = JSON.stringify(settingsFileSchema.toJSONSchema({ io: 'input' }));
    expect(described).toContain('Names of variables of the host that this worker may see');
    expect(described).not.toContain('reasonixProgram');
  });
});

describe('the settings file', () => {
  test('is found by XDG_CONFIG_HOME and REMIT_CONFIG', () => {
    const xdg = writeFile('{"maxWorkers":2}', join(home, 'xdg/remit/config.json'));
    const named = writeFile('{"maxWorkers":3}', join(home, 'elsewhere.json'));
    expect(load({ env: { XDG_CONFIG_HOME: join(home, 'xdg') } })).toMatchObject({ file: xdg, maxWorkers: 2 });
    expect(load({ env: { XDG_CONFIG_HOME: join(home, 'xdg'), REMIT_CONFIG: named } })).toMatchObject({
      file: named,
      maxWorkers: 3,
    });
  });

  test('must exist where REMIT_CONFIG names it', () => {
    const message = refusal({ env: { REMIT_CONFIG: join(home, 'none.json') } });
    expect(message).toContain(`${join(home, 'none.json')}: cannot be read (ENOENT)`);
  });

  test.each([
    ['{\n  "maxWorkers": 2,\n  "colour": "red"\n}', 'line 3: "colour" is no setting'],
    ['{\n  "network": "yes"\n}', 'line 2: "network"'],
    [
      '{\n  "workers": {\n    "a": {\n      "adapter": "acp",\n      "comand": ["a"]\n    }\n  }\n}',
      'line 5: "workers.a.comand" is no setting',
    ],
    ['{"workers":{"a":{"adapter":"mcp","command":["a"]}}}', '"workers.a.adapter"'],
    ['{"workers":{"a":{"adapter":"acp","command":["./agent"]}}}', 'absolute path or a bare name'],
    ['{"workers":{"a":{"adapter":"acp","command":[]}}}', '"workers.a.command"'],
    ['{"workers":{"a":{"adapter":"acp","command":["a"],"env":["KEY","BASH_ENV"]}}}', '"workers.a.env[1]": BASH_ENV'],
    ['{"environmentAllowlist":["LD_PRELOAD"]}', '"environmentAllowlist[0]": LD_PRELOAD'],
    ['{"workers":{"a":{"adapter":"acp","command":["a"],"egress":["https://x"]}}}', 'must be host:port'],
    ['{"workers":{"a":{"adapter":"acp","command":["a"],"egress":["x:70000"]}}}', 'port'],
    ['{"workers":{"a":{"adapter":"acp","command":["a"],"env":["A=1"]}}}', 'name of an environment variable'],
    ['{"workers":{"a":{"adapter":"acp","command":["a"],"writable":["~/x"]}}}', '~ is not expanded'],
    ['{"workers":{"../a":{"adapter":"acp","command":["a"]}}}', 'workers'],
    ['{"workers":{"b":{"adapter":"builtin"}}}', '"workers.b.model"'],
    ['{"stateDir":"~/state"}', '"stateDir": must be absolute; ~ is not expanded'],
    ['{"reasonixProgram":"/x"}', '"reasonixProgram" is no setting'],
    ['{\n"maxWorkers": 2,\n}', 'is not JSON'],
    ['[]', 'the whole'],
    ['', 'is not JSON'],
  ])('is refused by file, key and line: %j', (text, words) => {
    const message = refusal({ file: text });
    expect(message).toContain(join(home, '.config/remit/config.json'));
    expect(message).toContain(words);
  });

  test('is checked as a whole, also where a flag is stronger, and its text is not repeated', () => {
    expect(refusal({ flags: { maxWorkers: '1' }, file: { maxWorkers: -1 } })).toContain('"maxWorkers"');
    expect(refusal({ file: '{"model": sk-a1b2c3d4e5f6g7h8i9j0k1' })).not.toContain('sk-a1b2');
  });

  test('that every user can write, or that is a folder, is refused', () => {
    const path = writeFile('{}');
    chmodSync(path, 0o666);
    expect(refusal({})).toContain('chmod o-w');
    expect(refusal({ env: { REMIT_CONFIG: home } })).toContain('not a regular file');
  });
});

describe('the worker', () => {
  const opencode = { adapter: 'acp', command: ['opencode', 'acp'] };
  const selected = (given: Given, name?: string) => {
    const selection = load(given).selectWorker(name);
    return selection.kind === 'worker' ? selection.worker : `${selection.family}: ${selection.reason}`;
  };

  test('is the one that the file names before REASONIX_BIN', () => {
    const path = program('opencode');
    const file = {
      worker: 'opencode',
      workers: { opencode: { ...opencode, env: ['KEY'], egress: ['api.example.com:443'], writable: ['/cache/'] } },
    };
    expect(selected({ file, env: { REASONIX_BIN: program('reasonix') } })).toEqual({
      name: 'opencode',
      adapter: 'acp',
      command: [path, 'acp'],
      env: ['KEY'],
      egress: ['api.example.com:443'],
      writable: ['/cache'],
    });
  });

  test('is the only one in the file when the file names none', () => {
    program('opencode');
    program('reasonix');
    expect(selected({ file: { workers: { opencode } } })).toMatchObject({ name: 'opencode' });
  });

  test('is the program of REASONIX_BIN with the arguments of the file', () => {
    const mine = program('my-reasonix', join(home, 'build'));
    expect(selected({ env: { REASONIX_BIN: mine } })).toMatchObject({ name: 'reasonix', command: [mine, 'acp'] });
    const workers = { reasonix: { adapter: 'reasonix', command: ['reasonix', 'acp', '--planner=off'] }, opencode };
    expect(selected({ file: { workers }, env: { REASONIX_BIN: mine } })).toMatchObject({
      command: [mine, 'acp', '--planner=off'],
    });
  });

  test('is reasonix on PATH when nothing is configured', () => {
    const path = program('reasonix');
    expect(selected({})).toMatchObject({ name: 'reasonix', adapter: 'reasonix', command: [path, 'acp'] });
  });

  test('may be named by a task, a flag or a variable', () => {
    program('opencode');
    program('reasonix');
    const file = { worker: 'opencode', workers: { opencode } };
    expect(selected({ file }, 'reasonix')).toMatchObject({ name: 'reasonix' });
    expect(selected({ file, flags: { worker: 'reasonix' } })).toMatchObject({ name: 'reasonix' });
    expect(selected({ file, env: { REMIT_WORKER: 'reasonix' } })).toMatchObject({ name: 'reasonix' });
  });

  test('takes its model from flag and variables first, the older variable for Reasonix alone', () => {
    program('opencode');
    program('reasonix');
    expect(selected({}, 'reasonix')).not.toHaveProperty('model');
    const file = { model: 'general', workers: { opencode: { ...opencode, model: 'own' }, plain: opencode } };
    const env = { CODEX_REASONIX_MODEL: 'older' };
    expect(selected({ file, env }, 'opencode')).toMatchObject({ model: 'own' });
    expect(selected({ file, env }, 'plain')).toMatchObject({ model: 'general' });
    expect(selected({ file, env }, 'reasonix')).toMatchObject({ model: 'older' });
    expect(selected({ file, env: { ...env, REMIT_MODEL: 'newer' } }, 'reasonix')).toMatchObject({ model: 'newer' });
  });

  describe('that is bundled', () => {
    const own = [process.execPath, workerProgramPath()];

    test('is the default when a model is configured for it, and is told so by its environment alone', () => {
      program('reasonix');
      const env = { REMIT_MODEL: 'deepseek:v4', DEEPSEEK_API_KEY: 'key', REMIT_MAX_TOKENS: '1000', OTHER: 'x' };
      expect(selected({ env })).toEqual({
        name: 'builtin',
        adapter: 'builtin',
        command: own,
        environment: { REMIT_MODEL: 'deepseek:v4', DEEPSEEK_API_KEY: 'key', REMIT_MAX_TOKENS: '1000' },
        env: [],
        writable: [],
      });
      expect(selected({ env: { ...env, REASONIX_BIN: program('reasonix') } })).toMatchObject({ name: 'reasonix' });
      expect(selected({ env: { REMIT_MODEL: 'gpt-5' } })).toMatchObject({ name: 'reasonix', model: 'gpt-5' });
    });

    const entry = {
      adapter: 'builtin',
      model: 'openai-compatible:gpt-5',
      baseUrl: 'https://models.example.com/v1',
      apiKeyEnv: 'MY_KEY',
      reviewer: { model: 'anthropic:claude', apiKey: 'other-key' },
      budget: { requests: 40, cost: 2 },
      price: { input: 1, output: 2 },
      contextTokens: 64_000,
    };

    test('has its model, key, reviewer and budget from the file', () => {
      expect(selected({ file: { workers: { own: entry } }, env: { MY_KEY: 'key' } })).toMatchObject({
        name: 'own',
        command: own,
        environment: {
          REMIT_MODEL: 'openai-compatible:gpt-5',
          REMIT_BASE_URL: 'https://models.example.com/v1',
          REMIT_API_KEY: 'key',
          REMIT_REVIEWER_MODEL: 'anthropic:claude',
          REMIT_REVIEWER_API_KEY: 'other-key',
          REMIT_MAX_REQUESTS: '40',
          REMIT_MAX_COST: '2',
          REMIT_PRICE: '{"input":1,"output":2,"currency":"USD"}',
          REMIT_CONTEXT_TOKENS: '64000',
        },
      });
    });

    test('asks another model when one is named for this call, and sends it no key of another provider', () => {
      const file = { workers: { own: entry } };
      const same = selected({ file, env: { MY_KEY: 'key', REMIT_MODEL: 'openai-compatible:gpt-6' } });
      expect(same).toMatchObject({ environment: { REMIT_MODEL: 'openai-compatible:gpt-6', REMIT_API_KEY: 'key' } });
      const other = selected({ file, env: { MY_KEY: 'key', REMIT_MODEL: 'deepseek:v4', DEEPSEEK_API_KEY: 'theirs' } });
      expect(other).toMatchObject({ environment: { REMIT_MODEL: 'deepseek:v4', DEEPSEEK_API_KEY: 'theirs' } });
      expect(JSON.stringify(other)).not.toContain('"key"');
      expect(JSON.stringify(other)).not.toContain('models.example.com');
    });

    test('takes no other key when the one that its entry names is not there, and gets none that it does not use', () => {
      const { reviewer: _, ...alone } = entry;
      const file = { workers: { own: alone } };
      const env = { OPENAI_API_KEY: 'usual', ANTHROPIC_API_KEY: 'another' };
      expect(load({ file, env }).selectWorker()).toMatchObject({
        reason: expect.stringContaining('MY_KEY, which apiKeyEnv'),
      });
      const { environment } = selected({ file, env: { ...env, MY_KEY: 'key' } }) as { environment: object };
      expect(JSON.stringify(environment)).not.toMatch(/usual|another/);
    });

    test('sends the key of an entry to no other address than the entry’s own', () => {
      const file = { workers: { own: entry } };
      const env = { MY_KEY: 'key', REMIT_BASE_URL: 'https://elsewhere.example/v1', OPENAI_API_KEY: 'usual' };
      const moved = selected({ file, env });
      expect(moved).toMatchObject({ environment: { REMIT_BASE_URL: 'https://elsewhere.example/v1' } });
      expect(JSON.stringify(moved)).not.toContain('"key"');
      const stayed = selected({ file, env: { ...env, REMIT_BASE_URL: entry.baseUrl } });
      expect(stayed).toMatchObject({ environment: { REMIT_API_KEY: 'key' } });
    });
  });

  test.each<[string, Given, string | undefined, string]>([
    ['nothing is there', {}, undefined, 'reasonix: No worker was found: set REMIT_MODEL to use the bundled one'],
    [
      'REASONIX_BIN is wrong',
      { env: { REASONIX_BIN: '/none/reasonix' } },
      undefined,
      'reasonix: REASONIX_BIN names /none/reasonix, which is no executable file:',
    ],
    [
      'REASONIX_BIN is relative',
      { env: { REASONIX_BIN: './reasonix' } },
      undefined,
      'reasonix: REASONIX_BIN names ./reasonix',
    ],
    [
      'its program is missing',
      { file: { workers: { opencode } } },
      undefined,
      'worker: The program opencode of worker opencode is no executable file on PATH',
    ],
    [
      'it is unknown',
      { file: { workers: { opencode } } },
      'toString',
      'worker: There is no worker named toString; known: opencode, builtin, reasonix',
    ],
    ['it is the bundled one, without a model', {}, 'builtin', 'worker: No model is configured: set REMIT_MODEL'],
    [
      'it is the bundled one, and its model names no provider',
      { env: { REMIT_MODEL: 'gpt-5' } },
      'builtin',
      'worker: REMIT_MODEL must be PROVIDER:NAME',
    ],
    [
      'the bundled one is the default, and its key is not there',
      { file: { workers: { opencode, own: { adapter: 'builtin', model: 'deepseek:v4', apiKeyEnv: 'MY_KEY' } } } },
      undefined,
      'MY_KEY, which apiKeyEnv names, is not set. (Worker own in',
    ],
  ])('is refused with advice when %s', (_, given, name, words) => {
    expect(selected(given, name)).toContain(words);
  });
});
