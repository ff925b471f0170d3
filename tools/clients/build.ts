/**
 * Builds what partners install: `npm run build:clients -- --out FOLDER` (`clients/dist` by default).
 * Wheels need uv (`UV` names its program) and the zip python3.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildNpmPackages } from './build-npm.ts';
import { fromRoot, run } from './run.ts';

const verifiers = ['webhook-verifier', 'custody-verifier'] as const;

/**
 * The Python client with both verifiers, as a wheel and a source distribution.
 * @returns the paths of both. @throws Error without uv.
 */
const buildPythonPackage = (staging: string, out: string): string[] => {
  cpSync(fromRoot('clients/python'), staging, { recursive: true });
  for (const name of ['test', '.venv', '.mypy_cache'])
    rmSync(join(staging, name), { recursive: true, force: true });
  cpSync(fromRoot('LICENSE'), join(staging, 'LICENSE'));
  for (const name of verifiers) {
    const module = `_${name.replace('-', '_')}.py`;
    const place = join(staging, 'src/partner_transport_orders', module);
    cpSync(fromRoot(`verifiers/${name}/python/${name.replace('-verifier', '_verify')}.py`), place);
  }
  const { UV: uv = 'uv' } = process.env;
  run(staging, uv, 'build', '--quiet', '--no-create-gitignore', '--out-dir', out);
  return readdirSync(out)
    .filter((name) => name.startsWith('partner_transport_orders-'))
    .map((name) => join(out, name));
};

const phpFiles = ['composer.json', 'verify.php', 'receiver.php', 'LICENSE'] as const;

/** The PHP verifier as a zip, which Composer installs as an artifact. @returns its path. */
const buildPhpPackage = (staging: string, out: string): string[] => {
  mkdirSync(staging, { recursive: true });
  cpSync(fromRoot('verifiers/webhook-verifier/php'), staging, { recursive: true });
  cpSync(fromRoot('LICENSE'), join(staging, 'LICENSE'));
  const { version } = JSON.parse(readFileSync(join(staging, 'composer.json'), 'utf8'));
  const zip = join(out, `webhook-verifier-php-${version}.zip`);
  rmSync(zip, { force: true });
  run(staging, 'python3', '-m', 'zipfile', '-c', zip, ...phpFiles);
  return [zip];
};

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
