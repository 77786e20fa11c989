import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where npm would look for a dependency of the package at `from`: below it first, then ever further out. */
function placesOf(name: string, from: string): readonly string[] {
  const places = [];
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    places.push(at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`);
    if (at === '') return places;
  }
}

/*
 * npm 11 refuses a lock that leaves out even a package of another system, which npm 9 and 10 take;
 * a lock written beside installed packages, or where such a package was not to be had, leaves them out.
 */
test.each(['package-lock.json', 'interop/package-lock.json'])('%s has every package, of every system', (file) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(50);
  const missing = Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !placesOf(name, from).some((place) => packages[place]?.version !== undefined))
      .map((name) => `${name}, wanted by ${from === '' ? 'the project' : from}`),
  );
  expect(missing).toEqual([]);
});
