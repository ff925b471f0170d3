/** What partners install: the packages of the clients and of the verifiers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from './archives.ts';
import { buildNpmPackages } from './build-npm.ts';
import { buildPythonPackage } from './build-python.ts';
import { fromRoot } from './run.ts';

const phpFiles = ['composer.json', 'verify.php', 'receiver.php'] as const;

/** The PHP verifier as a zip, which Composer installs as an artifact. @returns its path. */
const buildPhpPackage = (out: string): string[] => {
  const read = (name: string) => readFileSync(fromRoot(`verifiers/webhook-verifier/php/${name}`));
  const files = new Map<string, Uint8Array>(phpFiles.map((name) => [name, read(name)]));
  files.set('LICENSE', readFileSync(fromRoot('LICENSE')));
  const { version } = JSON.parse(read('composer.json').toString());
  const zip = join(out, `webhook-verifier-php-${version}.zip`);
  writeFileSync(zip, zipOf(files));
  return [zip];
};

/** Builds all packages into a folder. @returns their paths. */
export const buildPackages = (out: string): string[] => {
  const staging = mkdtempSync(join(tmpdir(), 'clients-'));
  try {
    mkdirSync(out, { recursive: true });
    return [
      ...buildNpmPackages(join(staging, 'npm'), out),
      ...buildPythonPackage(out),
      ...buildPhpPackage(out),
    ];
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};
