import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { trackedFiles } from '../tracked-files.ts';

const rows = readFileSync('.github/CODEOWNERS', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));
const files = trackedFiles();

test('every path of CODEOWNERS exists', () => {
  const missing = rows
    .map(([path]) => path!.slice(1))
    .filter(
      (path) =>
        !files.some((file) =>
          path.endsWith('/') ? file.startsWith(path) : file === path || path === '',
        ),
    );
  expect(missing).toEqual([]);
});

test('every row of CODEOWNERS names one team of the organization', () => {
  const wrong = rows.filter(
    ([, team, ...more]) =>
      more.length > 0 || !/^@partner-transport-orders\/[a-z-]+$/.test(team ?? ''),
  );
  expect(wrong).toEqual([]);
});

test('every service and every area that is shipped has owners of its own', () => {
  const owned = (path: string) => rows.some(([pattern]) => pattern === `/${path}/`);
  const services = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'console'];
  const areas = services.map((name) => `services/${name}`);
  expect(
    [...areas, 'clients', 'operator', 'deploy', 'proto'].filter((path) => !owned(path)),
  ).toEqual([]);
});
