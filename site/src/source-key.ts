import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that the build reads, relative to the checkout. */
const sources = [
  'site/{assets,layouts,pages,snippets,src}/**',
  'clients/*/README.md',
  'docs/partners/*.md',
  'verifiers/custody-verifier/{README.md,python/*,src/**}',
  'verifiers/webhook-verifier/{node,php,python,src}/**',
  'packages/errors/src/**',
  'services/gateway/src/order-texts.ts',
  'services/gateway/src/{errors,openapi,responses,routes,validation}/**',
  'proto/vocabulary.ts',
  'clients/requests/*',
  'CHANGELOG.md',
  'package-lock.json',
] as const;

/** Returns the paths of all files that the build reads, relative to the checkout, sorted. */
export const sourceFiles = (root: string): string[] =>
  globSync([...sources], { cwd: root })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();

/** Returns 16 hex digits that change with any file that the site is built of. */
export const sourceKey = (root: string): string => {
  const hash = createHash('sha256');
  for (const path of sourceFiles(root))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
};
