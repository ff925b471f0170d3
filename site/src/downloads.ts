import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildPackages } from '../../tools/clients/packages.ts';
import type { SiteFile } from './assets.ts';

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

/**
 * Returns what `/downloads` serves: the packages of the clients and verifiers, the receivers and
 * verifiers as single files that need no installation, and the SHA-256 of each (decision 89).
 */
export const buildDownloads = async (root: string): Promise<SiteFile[]> => {
  const found = [
    ...(await bundledPrograms(root)),
    ...files.map(([name, source]) => ({ name, bytes: readFileSync(`${root}${source}`) })),
    ...packages(),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  const listed = found.map(({ name, bytes }) => ({
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  // the format of sha256sum, whose --check reads it
  const sums = listed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  return [
    ...found,
    { name: 'SHA256SUMS', bytes: Buffer.from(sums) },
    { name: 'index.json', bytes: Buffer.from(JSON.stringify({ files: listed }, null, 2)) },
  ].map(({ name, bytes }) => ({ path: `/downloads/${name}`, bytes }));
};

interface Download {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const bundledPrograms = async (root: string): Promise<Download[]> => {
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
  return outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: contents }));
};

const packages = (): Download[] => {
  const folder = mkdtempSync(join(tmpdir(), 'downloads-'));
  try {
    return buildPackages(folder).map((path) => ({
      name: basename(path),
      bytes: readFileSync(path),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
