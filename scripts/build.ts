/**
 * Bundles into dist/: the command, a small entry and chunks that load when they are needed; the bundled worker and the host's
 * file helper, one file each, since they run where little else can be seen. All with source maps.
 */
import { chmodSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

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

const COMMON = {
  absWorkingDir: root,
  outdir: output,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: REQUIRE },
  logLevel: 'warning',
} as const satisfies BuildOptions;

async function main(): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  const result = await build({
    ...COMMON,
    stdin: { contents: ENTRY, resolveDir: root, sourcefile: 'entry.ts', loader: 'ts' },
    entryNames: 'remit',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    // It loads its rules by name at run time, so it stays a package beside the bundle.
    external: ['@secretlint/*'],
    metafile: true,
  });
  await build({
    ...COMMON,
    entryPoints: { worker: 'src/agent/main.ts', 'file-helper': 'src/agent/file-helper/main.ts' },
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
