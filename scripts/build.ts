/** Bundles the command into dist/: a small entry, the command in chunks that load when they are needed, source maps. */
import { chmodSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'dist');

// Node keeps compiled code between starts only when told to before the first import, hence an entry of its own. The
// folder is the user's and not the default under the shared temporary directory, where others could plant code.
const ENTRY = `
import { enableCompileCache } from 'node:module';
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : HOME?.startsWith('/') ? HOME + '/.cache' : undefined;
if (caches !== undefined) enableCompileCache(caches + '/remit/compiled');
await import('./src/cli/main.ts');
`;

// Packages in CommonJS call `require` for Node's own modules.
const REQUIRE =
  "import { createRequire as nodeRequire } from 'node:module';const require = nodeRequire(import.meta.url);";

async function main(): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  const result = await build({
    absWorkingDir: root,
    stdin: { contents: ENTRY, resolveDir: root, sourcefile: 'entry.ts', loader: 'ts' },
    outdir: output,
    entryNames: 'remit',
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    sourcemap: 'linked',
    sourcesContent: false,
    // It loads its rules by name at run time, so it stays a package beside the bundle.
    external: ['@secretlint/*'],
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
  });
  chmodSync(join(output, 'remit.mjs'), 0o644);
  const sizes = Object.entries(result.metafile.outputs).filter(([path]) => path.endsWith('.mjs'));
  const bytes = sizes.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  console.log(`dist/remit.mjs and ${sizes.length - 1} chunks, ${Math.round(bytes / 1024)} KiB`);
}

// esbuild has already said what is wrong, with the place.
await main().catch(() => {
  process.exitCode = 1;
});
