/**
 * Builds what partners install: `npm run build:clients -- --out FOLDER` (`clients/dist` by default).
 * Wheels need uv (`UV` names its program) and the zip python3.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildNpmPackages } from './build-npm.ts';
import { buildPhpPackage } from './build-php.ts';
import { buildPythonPackage } from './build-python.ts';

const builders = { npm: buildNpmPackages, python: buildPythonPackage, php: buildPhpPackage };

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'clients/dist' },
    only: { type: 'string', multiple: true, default: Object.keys(builders) },
  },
});

const out = resolve(values.out);
const staging = mkdtempSync(join(tmpdir(), 'clients-'));
try {
  mkdirSync(out, { recursive: true });
  for (const [name, build] of Object.entries(builders))
    if (values.only.includes(name))
      for (const file of build(join(staging, name), out)) process.stdout.write(`${file}\n`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
