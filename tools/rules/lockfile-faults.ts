/** An entry of package-lock.json, as far as it matters here. */
export interface LockedPackage {
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
