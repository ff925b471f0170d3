/** Builds what partners install: `npm run build:clients -- --out FOLDER` (`clients/dist` by default). */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages } from './packages.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'clients/dist' } } });

for (const file of buildPackages(resolve(values.out))) process.stdout.write(`${file}\n`);
