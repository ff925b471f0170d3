import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NpmPackage } from './npm-packages.ts';

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
