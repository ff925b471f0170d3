import { mkdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Entry files, relative to the root, by the program's name. */
export type Programs = Readonly<Record<string, string>>;

/**
 * Packages that the bundles import at run time instead of containing them. `pg`: the tracing
 * module, which Node loads before the program, replaces it while the program imports it.
 * `@opentelemetry/api`: the tracing module and the program must use the same instance.
 * `import-in-the-middle`: the tracing module and the hook's thread find its files by their paths.
 */
const importedAtRunTime = ['pg', '@opentelemetry/api', 'import-in-the-middle'];

/** An optional package of `debug`, which works without. Whether it is installed is chance. */
const absent = ['supports-color'];

/**
 * Defines `require` at the start of each bundled file. The bundles contain CommonJS packages, which
 * load Node's modules by `require`, and an ES module has no `require`.
 */
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join(' ');

interface Bundle {
  /** Paths of all bundled source files, relative to the root. */
  readonly inputs: readonly string[];
  /** Packages that the programs import at run time. */
  readonly packages: readonly string[];
}

/**
 * Bundles each program with all its imports as JavaScript into `outDir`: NAME.mjs and files for
 * shared code. Node then reads a few files instead of more than a thousand.
 * @param runFrom the folder that the programs run from, if `outDir` is copied into another root:
 *   the place in `root` that corresponds to it.
 */
export const buildPrograms = async (
  root: string,
  programs: Programs,
  outDir: string,
  runFrom = outDir,
): Promise<Bundle> => {
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
    external: [...importedAtRunTime, ...absent],
    banner: { js: banner },
    plugins: [keepFileUrls(root, runFrom)],
    metafile: true,
    logLevel: 'error',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  return {
    inputs: Object.keys(metafile.inputs),
    packages: importedAtRunTime.filter((name) => imported.some(({ path }) => path === name)),
  };
};

/**
 * Keeps `import.meta.url` of each source file as the URL of that file instead of the bundle's, so
 * that bundled code still finds files next to its source.
 */
const keepFileUrls = (root: string, runFrom: string): Plugin => ({
  name: 'keep-file-urls',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!path.startsWith(root + sep) || path.includes(`${sep}node_modules${sep}`)) return null;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return null;
      const fromBundle = relative(runFrom, path).replaceAll(sep, '/');
      const url = `new URL(${JSON.stringify(fromBundle)}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
});
