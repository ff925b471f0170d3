/**
 * Builds what partners install: `npm run build:clients -- --out FOLDER` (`clients/dist` by default).
 * `--only npm`, `python` or `php` builds a part.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages, type Kind, kinds } from './packages.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'clients/dist' },
    only: { type: 'string', multiple: true, default: [...kinds] },
  },
});

for (const file of buildPackages(resolve(values.out), values.only as Kind[]))
  process.stdout.write(`${file}\n`);
