import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains } from './host-paths.ts';
import { arrangeMounts, type Mount } from './mounts.ts';

const path = fc
  .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);
const kind = fc.constantFrom('writable', 'read_only', 'hidden_directory', 'hidden_file' as const);
const mounts = fc.array(
  fc.record({ kind, path }).map((mount) => mount as Mount),
  { maxLength: 12 },
);

/** What the box shows at a path when every mount is applied in order. */
function seen(order: readonly Mount[], at: string): string {
  return order.findLast((mount) => contains(mount.path, at))?.kind.replace(/^hidden_.*/, 'hidden') ?? 'read_only';
}

test('what is left out changes nothing, and what contains is mounted before what it contains', () => {
  fc.assert(
    fc.property(mounts, path, (wanted, at) => {
      const arranged = arrangeMounts(wanted);
      for (const [index, mount] of arranged.entries()) {
        for (const later of arranged.slice(index + 1)) expect(contains(later.path, mount.path)).toBe(false);
      }
      const depth = (mount: Mount) => mount.path.split('/').length;
      const strictness = ['writable', 'read_only', 'hidden_directory', 'hidden_file'];
      const all = [...wanted].sort(
        (a, b) => depth(a) - depth(b) || strictness.indexOf(a.kind) - strictness.indexOf(b.kind),
      );
      expect(seen(arranged, at)).toBe(seen(all, at));
    }),
  );
});

test('a hidden place inside a hidden or emptied folder is not mounted: its name would show', () => {
  const arranged = arrangeMounts([
    { kind: 'hidden_directory', path: '/home/other/.ssh' },
    { kind: 'hidden_directory', path: '/home/other' },
    { kind: 'scratch', path: '/tmp', sizeBytes: 1 },
    { kind: 'hidden_file', path: '/tmp/x' },
    { kind: 'writable', path: '/tmp/work' },
    { kind: 'hidden_file', path: '/tmp/work/token' },
  ]);
  expect(arranged.map((mount) => mount.path)).toEqual(['/tmp', '/home/other', '/tmp/work', '/tmp/work/token']);
});
