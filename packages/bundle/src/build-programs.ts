import { mkdirSync } from 'node:fs';
import { build } from 'esbuild';
import { keepFileUrls } from './keep-file-urls.ts';

/** Entry files by the name of their program, relative to the root. */
export type Programs = Readonly<Record<string, string>>;

/**
 * Stay packages of their own: tracing, loaded before the program, replaces the database driver while
 * it is imported, and must share the API's one instance with the program.
 */
const notBundled = ['pg', '@opentelemetry/api'];

/** CommonJS packages ask for Node's modules by `require`, which a module of ES has not. */
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join(' ');

/**
 * Writes each program with all that it imports, as JavaScript, into `outDir`: NAME.mjs, and what
 * several of them share. Node then reads a few files in place of more than a thousand.
 * @returns the paths of all files that were read, relative to the root.
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
