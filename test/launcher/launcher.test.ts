import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const LAUNCHER = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin/remit');
const PROGRAM = 'console.log(JSON.stringify({ args: process.argv.slice(2), execPath: process.execPath }));\n';

interface House {
  readonly directory: string;
  readonly launcher: string;
  run(
    command: string,
    options?: { path?: string; cwd?: string; args?: string[] },
  ): { status: number | null; out: string; err: string };
}

/** A project of its own with the launcher, and with a built program unless it is left out. */
function makeHouse(options: { built?: boolean } = {}): House {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit launcher-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const folder of ['project/bin', 'project/dist', 'tools', 'elsewhere'])
    mkdirSync(join(directory, folder), { recursive: true });
  const launcher = join(directory, 'project/bin/remit');
  copyFileSync(LAUNCHER, launcher);
  chmodSync(launcher, 0o755);
  if (options.built ?? true) writeFileSync(join(directory, 'project/dist/remit.mjs'), PROGRAM);
  return {
    directory,
    launcher,
    run(command, { path = `${dirname(process.execPath)}:/usr/bin:/bin`, cwd = directory, args = [] } = {}) {
      const { status, stdout, stderr } = spawnSync(command, args, {
        cwd,
        env: { PATH: path },
        encoding: 'utf8',
        timeout: 30_000,
      });
      return { status, out: stdout, err: stderr };
    },
  };
}

/** A program that says it is Node of that version, and runs scripts on the real one. */
function fakeNode(path: string, version: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && { echo ${version}; exit; }\nexec '${process.execPath}' "$@"\n`,
    { mode: 0o755 },
  );
}

describe('the launcher', () => {
  test('hands arguments on as they are and prints nothing of its own', () => {
    const house = makeHouse();
    const { out, err, status } = house.run(house.launcher, { args: ['serve', '--root', 'a b', "it's", ''] });
    expect([status, err]).toEqual([0, '']);
    expect(JSON.parse(out).args).toEqual(['serve', '--root', 'a b', "it's", '']);
  });

  test('is found through a chain of links, absolute and relative, from any folder', () => {
    const house = makeHouse();
    symlinkSync('../project/bin/remit', join(house.directory, 'elsewhere/relative'));
    symlinkSync(join(house.directory, 'elsewhere/relative'), join(house.directory, 'tools/remit'));
    expect(house.run(join(house.directory, 'tools/remit'), { cwd: '/' }).status).toBe(0);
    expect(house.run('tools/remit').status).toBe(0);
  });

  test("takes the project's own Node where the system's is too old", () => {
    const house = makeHouse();
    fakeNode(join(house.directory, 'tools/node'), 'v22.12.0');
    const path = `${join(house.directory, 'tools')}:/usr/bin:/bin`;
    expect(house.run(house.launcher, { path })).toMatchObject({
      status: 69,
      out: '',
      err: expect.stringContaining('needs Node 22.13 or newer'),
    });
    fakeNode(join(house.directory, 'project/node_modules/node/bin/node'), 'v24.0.0');
    expect(house.run(house.launcher, { path }).status).toBe(0);
  });

  test('does not take a node from a relative entry of PATH', () => {
    const house = makeHouse();
    writeFileSync(join(house.directory, 'node'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    const result = house.run(house.launcher, { path: `.:${dirname(process.execPath)}:/usr/bin:/bin` });
    expect(result.out).not.toContain('planted');
  });

  test('says what to do when nothing is built, and ends at a loop of links', () => {
    const house = makeHouse({ built: false });
    expect(house.run(house.launcher)).toMatchObject({
      status: 69,
      out: '',
      err: expect.stringContaining("run 'make build'"),
    });
    symlinkSync('remit', join(house.directory, 'tools/loop'));
    symlinkSync('loop', join(house.directory, 'tools/remit'));
    expect(house.run('/bin/sh', { args: [join(house.directory, 'tools/loop')] }).status).not.toBe(0);
  });
});
