import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { version } from '../src/index.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const quoted = (path: string, line: RegExp) => line.exec(read(path))?.[1];

test('the package, the user agent and the Python client have one version', () => {
  const { version: packaged } = JSON.parse(read('../package.json'));
  expect(version).toBe(packaged);
  const python = '../../python';
  expect(quoted(`${python}/pyproject.toml`, /^version = "(.*)"$/m)).toBe(packaged);
  const module = `${python}/src/partner_transport_orders/_version.py`;
  expect(quoted(module, /^VERSION = "(.*)"$/m)).toBe(packaged);
});
