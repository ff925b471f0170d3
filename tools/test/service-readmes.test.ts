import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const names = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name!));

const settingsOf = (text: string) => names(text, /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|ENVIRONMENT)'/g);
const namedIn = (text: string) => names(text, /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|ENVIRONMENT)`/g);
const shared = read('services/README.md');
const configs: Readonly<Record<string, readonly string[]>> = {
  gateway: ['src/config.ts'],
  operators: ['src/config.ts', 'src/mover/config.ts'],
  orders: ['src/config.ts'],
  custody: ['src/config.ts', 'src/auditor/config.ts'],
  webhooks: ['src/config.ts'],
  courier: ['src/config.ts'],
  console: ['src/config.ts'],
};

describe.each(Object.entries(configs))('the README of %s', (service, files) => {
  const folder = `services/${service}`;
  const readme = read(`${folder}/README.md`);

  test('names every setting of the service', () => {
    const declared = files.flatMap((file) => [...settingsOf(read(`${folder}/${file}`))]);
    expect(declared.filter((name) => !namedIn(`${readme}${shared}`).has(name))).toEqual([]);
  });

  test('names every folder of src', () => {
    const folders = readdirSync(new URL(`${folder}/src`, root), { withFileTypes: true });
    const missing = folders.filter(
      (one) => one.isDirectory() && !readme.includes(`\`src/${one.name}`),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('names every table that its migrations create', () => {
    // the gateway reads the database of operators, the console none
    if (service === 'gateway' || service === 'console') return;
    const migrations = readdirSync(new URL(`${folder}/migrations`, root));
    const created = migrations.flatMap((file) => [
      ...names(read(`${folder}/migrations/${file}`), /create table (\w+) \(/g),
    ]);
    expect(created.length).toBeGreaterThan(0);
    expect(created.filter((name) => !`${readme}${shared}`.includes(`\`${name}\``))).toEqual([]);
  });
});

test.each([
  'packages/database/src/connections/pool.ts',
  'packages/bus/src/settings.ts',
  'packages/rpc/src/tls.ts',
  'packages/mail/src/mailer.ts',
])('services/README.md names every setting of %s', (file) => {
  expect([...settingsOf(read(file))].filter((name) => !namedIn(shared).has(name))).toEqual([]);
});
