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

/** The kinds of packages. */
export const kinds = ['npm', 'python', 'php'] as const;
export type Kind = (typeof kinds)[number];

/** Builds packages into a folder. @returns their paths. */
export const buildPackages = (out: string, only: readonly Kind[] = kinds): string[] => {
  const staging = mkdtempSync(join(tmpdir(), 'clients-'));
  const build: Readonly<Record<Kind, () => string[]>> = {
    npm: () => buildNpmPackages(join(staging, 'npm'), out),
    python: () => buildPythonPackage(out),
    php: () => buildPhpPackage(out),
  };
  try {
    mkdirSync(out, { recursive: true });
    return kinds.filter((kind) => only.includes(kind)).flatMap((kind) => build[kind]());
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};
