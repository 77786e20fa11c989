import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentProgram } from './options.ts';
import { describeWorkerHome, prepareWorkerHome } from './worker-home.ts';

const REASONIX: AgentProgram = { adapter: 'reasonix', command: ['/opt/reasonix', 'acp'] };
const OPENCODE: AgentProgram = { adapter: 'acp', command: ['/opt/opencode', 'acp'] };

let directory: string;
let userHome: string;
let home: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'remit-home-'));
  userHome = join(directory, 'user');
  home = join(directory, 'task/home');
  mkdirSync(userHome);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function place(path: string, content: string): void {
  mkdirSync(dirname(join(userHome, path)), { recursive: true });
  writeFileSync(join(userHome, path), content);
}

const prepare = (program: AgentProgram, environment = {}) =>
  prepareWorkerHome(program, { userHome, home, environment });
const copied = (path: string) => (existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : undefined);

describe("a task's private home", () => {
  test('holds the configuration and login of its agent and nothing else', async () => {
    place('.reasonix/config.toml', 'model');
    place('.reasonix/.env', 'KEY=1');
    place('.reasonix/sessions-v4/old', 'private');
    place('.ssh/id_ed25519', 'private');
    expect(await prepare(REASONIX)).toEqual({ leftOut: [] });
    expect(copied('.reasonix/config.toml')).toBe('model');
    expect(copied('.reasonix/.env')).toBe('KEY=1');
    expect(readdirSync(home)).toEqual(['.reasonix']);
    expect(readdirSync(join(home, '.reasonix')).sort()).toEqual(['.env', 'config.toml']);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, '.reasonix/.env')).mode & 0o777).toBe(0o600);
  });

  test('takes the files from where the user keeps them', async () => {
    place('elsewhere/config.toml', 'there');
    await prepare(REASONIX, { REASONIX_HOME: join(userHome, 'elsewhere') });
    expect(copied('.reasonix/config.toml')).toBe('there');
  });

  test('of another agent is known by its program', async () => {
    place('.config/opencode/opencode.json', '{}');
    place('.local/share/opencode/auth.json', '{"key":1}');
    await prepare(OPENCODE);
    expect(copied('.config/opencode/opencode.json')).toBe('{}');
    expect(copied('.local/share/opencode/auth.json')).toBe('{"key":1}');
  });

  test('leaves out what is too large, no file, or a link out of the home', async () => {
    place('.reasonix/.env', 'x'.repeat(1024 * 1024 + 1));
    writeFileSync(join(directory, 'foreign'), 'foreign');
    symlinkSync(join(directory, 'foreign'), join(userHome, '.reasonix/config.toml'));
    expect(await prepare(REASONIX)).toEqual({ leftOut: ['.reasonix/config.toml', '.reasonix/.env'] });
    expect(copied('.reasonix/config.toml')).toBeUndefined();
  });

  test('follows a link that stays inside the home, as dotfile tools make them', async () => {
    place('dotfiles/reasonix.toml', 'linked');
    mkdirSync(join(userHome, '.reasonix'));
    symlinkSync('../dotfiles/reasonix.toml', join(userHome, '.reasonix/config.toml'));
    await prepare(REASONIX);
    expect(copied('.reasonix/config.toml')).toBe('linked');
  });

  test('that is there already is not written again, so that no planted link is followed', async () => {
    place('.reasonix/config.toml', 'fresh');
    mkdirSync(join(home, '.reasonix'), { recursive: true });
    symlinkSync(join(directory, 'victim'), join(home, '.reasonix/config.toml'));
    await prepare(REASONIX);
    expect(existsSync(join(directory, 'victim'))).toBe(false);
  });

  test('is what every variable of the environment points at', () => {
    const { environment } = describeWorkerHome(REASONIX, '/h');
    expect(environment).toMatchObject({
      HOME: '/h',
      REASONIX_HOME: '/h/.reasonix',
      CODEX_HOME: '/h/.codex',
      XDG_CONFIG_HOME: '/h/.config',
    });
    expect(describeWorkerHome(OPENCODE, '/h').repositorySettings).toContain('.opencode');
  });
});
