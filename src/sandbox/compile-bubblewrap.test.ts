import { describe, expect, test } from 'vitest';
import type { BoxPlan } from './box-plan.ts';
import { compileBubblewrap } from './compile-bubblewrap.ts';

const plan: BoxPlan = {
  mounts: [
    { kind: 'scratch', path: '/tmp', sizeBytes: 1000 },
    { kind: 'hidden_directory', path: '/secret' },
    { kind: 'writable', path: '/secret/work' },
    { kind: 'hidden_file', path: '/etc/token' },
    { kind: 'hidden_file', path: '/etc/other' },
  ],
  cwd: '/secret/work',
  home: { kind: 'private', path: '/tmp/home' },
  environment: { HOME: '/tmp/home', A: '1' },
  network: 'none',
  unixSockets: 'allowed',
  asRoot: false,
  protectedProc: ['/proc/sys'],
};

const text = (changed: Partial<BoxPlan> = {}) => compileBubblewrap({ ...plan, ...changed }).options.join(' ');

describe('the compiled box', () => {
  test('drops every capability, takes a session of its own and dies with its parent, always', () => {
    for (const asRoot of [true, false]) {
      for (const network of ['none', 'host'] as const) {
        const options = text({ asRoot, network });
        expect(options).toContain('--unshare-user --unshare-ipc --unshare-pid --unshare-uts');
        expect(options).toContain('--cap-drop ALL --hostname remit --new-session --die-with-parent --seccomp 4');
        expect(options).toContain('--ro-bind / /');
        expect(options).toContain('--clearenv');
      }
    }
  });

  test('shares the network only when the profile says so', () => {
    expect(text()).toContain('--unshare-net');
    expect(text({ network: 'host' })).not.toContain('--unshare-net');
  });

  test('gives root another user inside and covers what root could write in /proc', () => {
    expect(text({ asRoot: true })).toMatch(/--uid 1000 --gid 1000 .*--proc \/proc --ro-bind \/proc\/sys \/proc\/sys/);
    expect(text()).not.toMatch(/--uid|\/proc\/sys/);
  });

  test('gives each hidden file an empty file of its own and closes hidden folders after what lies in them', () => {
    const { options, emptyFiles } = compileBubblewrap(plan);
    expect(emptyFiles).toEqual([7, 8]);
    expect(options.join(' ')).toMatch(
      /--tmpfs \/secret --bind \/secret\/work \/secret\/work .*--ro-bind-data 7 \/etc\/token .*--ro-bind-data 8 \/etc\/other .*--remount-ro \/secret /,
    );
  });
});
