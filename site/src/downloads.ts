import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
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
    ...outputFiles.map(({ path, contents }) => ({ path, bytes: contents, isImmutable: false })),
    ...files.map(([name, source]) => ({
      path: `/downloads/${name}`,
      bytes: readFileSync(`${root}${source}`),
      isImmutable: false,
    })),
  ];
};
