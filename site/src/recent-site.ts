import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtOnce } from '@pto/bundle';
import { root } from './root.ts';

/** Everything that the build reads, relative to the checkout. */
export const sources = [
  'site/{assets,layouts,pages,snippets,src}/**',
  'clients/{command-line,python,typescript}/{package.json,pyproject.toml,README.md,src/**}',
  'packages/terminal/{package.json,src/**}',
  'tools/clients/**',
  'docs/partners/*.md',
  'verifiers/custody-verifier/{package.json,README.md,python/*,src/**,vectors/*}',
  'verifiers/webhook-verifier/{package.json,README.md,node/*,php/*,python/*,src/**,vectors/*}',
  'packages/errors/src/**',
  'services/gateway/src/{errors,openapi,resources,routes,validation}/**',
  'proto/vocabulary.ts',
  'clients/requests/*',
  'CHANGELOG.md',
  'LICENSE',
  'tsconfig.base.json',
  'package-lock.json',
];

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const buildMaxMs = 120_000;
const errorTextMax = 2000;

/**
 * Returns the folder of the site of the present sources, and a function that builds it in a process
 * of its own unless it exists, and throws an Error with the last lines of a failed build.
 */
export const recentSite = () => {
  const { folder, build } = builtOnce(root, 'site', sources);
  return { folder, build: (signal?: AbortSignal) => build((into) => run(into, signal)) };
};

const run = (folder: string, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: buildMaxMs,
      ...(signal && { signal }),
    });
    let errors = '';
    child.stderr.on('data', (part) => {
      errors = `${errors}${part}`.slice(-errorTextMax);
    });
    child.once('error', (error) => {
      errors = error.message;
      if (child.pid === undefined) reject(error); // it never ran; otherwise `close` follows
    });
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`the site was not built: ${errors}`)),
    );
  });
