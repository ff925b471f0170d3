import { mkdirSync } from 'node:fs';
import { build } from 'esbuild';
import { keepFileUrls } from './keep-file-urls.ts';

/** Entry files, relative to the root, by the program's name. */
export type Programs = Readonly<Record<string, string>>;

/**
 * Packages that the bundles import at run time instead of containing them. `pg`: the tracing
 * module, which Node loads before the program, replaces it while the program imports it.
 * `@opentelemetry/api`: the tracing module and the program must use the same instance.
 */
const notBundled = ['pg', '@opentelemetry/api'];

/**
 * Defines `require` at the start of each bundled file. The bundles contain CommonJS packages, which
 * load Node's modules by `require`, and an ES module has no `require`.
 */
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join(' ');

/**
 * Bundles each program with all its imports as JavaScript into `outDir`: NAME.mjs and files for
 * shared code. Node then reads a few files instead of more than a thousand.
 * @returns the paths of all source files, relative to the root.
 */
export const buildPrograms = async (
  root: string,
  programs: Programs,
  outDir: string,
): Promise<string[]> => {
  mkdirSync(outDir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...programs },
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    chunkNames: 'shared-[hash]',
    outExtension: { '.js': '.mjs' },
    external: notBundled,
    banner: { js: banner },
    plugins: [keepFileUrls(root, outDir)],
    metafile: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
};
