import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { siteRoot } from './root.ts';

/** A file of the site. */
export interface SiteFile {
  /** Where it is served, from `/` on. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The path of each asset by its name in the templates. */
export type AssetNames = Readonly<Record<string, string>>;

const scripts = ['theme', 'site', 'chain'];

/** Bundles scripts and styles, each under a name with its hash. */
export const buildAssets = async (): Promise<{ files: SiteFile[]; names: AssetNames }> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: siteRoot,
    entryPoints: [...scripts.map((name) => `assets/${name}.ts`), 'assets/style.css'],
    outdir: '/assets',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    entryNames: '[name].[hash]',
    chunkNames: 'part.[hash]',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const files = outputFiles.map(({ path, contents }) => ({ path, bytes: contents }));
  const names = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint.replace(/^assets\//, ''), served(path)]],
  );
  return { files, names: Object.fromEntries(names) };
};

const served = (path: string): string => `/assets/${path.slice(path.lastIndexOf('/') + 1)}`;

/** Returns a file under a name with its hash. */
export const hashedFile = (name: string, extension: string, bytes: Uint8Array): SiteFile => {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();
  return { path: `/assets/${name}.${hash}.${extension}`, bytes };
};
