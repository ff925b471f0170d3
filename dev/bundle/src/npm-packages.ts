import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An npm package whose code an image contains. */
interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Relative to the root. */
  readonly folder: string;
}

/** Licenses that a package's LICENSE file states, and its manifest does not. */
const unstated: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

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
      const { name, version } = manifest;
      const license = manifest.license ?? unstated[name];
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

/**
 * Returns the bill of materials of an image: the given packages with the SHA-512 digests of
 * `package-lock.json`, in CycloneDX 1.5.
 * @throws Error naming a package without a digest.
 */
export const billOfMaterials = (
  root: string,
  image: string,
  packages: readonly NpmPackage[],
): object => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { packages: locked } = read('package-lock.json');
  const { version } = read('package.json');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': image, name: image, version } },
    components: packages.map((one) => component(one, locked[one.folder]?.integrity)),
  };
};

const component = ({ name, version, license }: NpmPackage, integrity: string | undefined) => {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
  if (!digest) throw new Error(`${name} ${version} has no SHA-512 digest in package-lock.json`);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ expression: license }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
  };
};
