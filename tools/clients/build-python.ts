/** The Python client with both verifiers, as a wheel and a source distribution. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot, run } from './run.ts';

const verifiers = ['webhook-verifier', 'custody-verifier'] as const;

/** @returns the paths of both. @throws Error without uv. */
export const buildPythonPackage = (staging: string, out: string): string[] => {
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
