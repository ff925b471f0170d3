import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

const files: readonly (readonly [path: string, source: string])[] = [
  ['receiver.py', 'verifiers/webhook-verifier/python/receiver.py'],
  ['webhook_verify.py', 'verifiers/webhook-verifier/python/webhook_verify.py'],
  ['receiver.php', 'verifiers/webhook-verifier/php/receiver.php'],
  ['verify.php', 'verifiers/webhook-verifier/php/verify.php'],
  ['partner-api.http', 'clients/requests/partner-api.http'],
  ['partner-api.postman_collection.json', 'clients/requests/partner-api.postman_collection.json'],
  ['custody_verify.py', 'verifiers/custody-verifier/python/custody_verify.py'],
];

const programs: Readonly<Record<string, string>> = {
  receiver: 'verifiers/webhook-verifier/node/receiver.ts',
  'webhook-verifier': 'verifiers/webhook-verifier/src/index.ts',
  'custody-verify': 'verifiers/custody-verifier/src/bin/custody-verify.ts',
};

/** The receivers and verifiers as single files that need no installation. */
export const buildDownloads = async (root: string): Promise<SiteFile[]> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { ...programs },
    outdir: '/downloads',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    write: false,
    logLevel: 'error',
  });
  return [
    ...outputFiles.map(({ path, contents }) => ({ path, bytes: contents })),
    ...files.map(([name, source]) => ({
      path: `/downloads/${name}`,
      bytes: readFileSync(`${root}${source}`),
    })),
  ];
};
