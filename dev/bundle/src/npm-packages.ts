import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An npm package whose code an image contains. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Relative to the root. */
  readonly folder: string;
}

const inPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Returns the npm packages that the files belong to, sorted by folder. Packages of this project are
 * not among them.
 */
export const npmPackages = (root: string, files: readonly string[]): NpmPackage[] => {
  const folders = new Set(files.flatMap((path) => inPackage.exec(path)?.[0] ?? []));
  return [...folders]
    .filter((folder) => !folder.startsWith('node_modules/@pto/'))
    .sort()
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const { name, version, license } = manifest;
      return { name, version, license, folder };
    });
};

/** Returns the license texts of the packages: their licenses require a copy beside the code. */
export const noticesOf = (root: string, packages: readonly NpmPackage[]): string =>
  packages
    .map(({ name, version, license, folder }) => {
      const texts = readdirSync(join(root, folder), { withFileTypes: true })
        .filter((file) => file.isFile() && /^(licen[cs]e|notice|copying)/i.test(file.name))
        .map((file) => readFileSync(join(root, folder, file.name), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');
