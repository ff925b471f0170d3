import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { secretHolders } from '../../local/src/processes/secret-holders.ts';
import { repository } from './monitoring/monitoring.ts';
import { charts } from './rendered.ts';

const files = [
  'partner-api/values.yaml',
  ...readdirSync(`${charts}/environments`).map((name) => `environments/${name}`),
];

/** The keys of all maps `secrets` within a value: each is a Secret with a list of keys. */
const keysIn = (value: unknown, isSecret = false): string[] => {
  if (Array.isArray(value)) return isSecret ? value : value.flatMap((one) => keysIn(one));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    keysIn(one, isSecret || name === 'secrets'),
  );
};

test('the page of keys says of each secret of the charts how it is changed, and what is lost', () => {
  const page = readFileSync(`${repository}docs/operators/keys.md`, 'utf8');
  const [, tables] = /## Rings of keys([\s\S]*?)## TLS between services/.exec(page)!;
  const rows = tables!.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => row.split('|')[1]!.match(/[A-Z_]{5,}/g)!);
  const inCharts = files.flatMap((name) =>
    keysIn(parse(readFileSync(`${charts}/${name}`, 'utf8'))),
  );
  expect(new Set(inCharts).size).toBeGreaterThan(20);
  expect(new Set(named)).toEqual(new Set([...inCharts, 'CONSOLE_OPENID_KEY']));
  expect(named).toHaveLength(new Set(named).size);
  const keys = Object.keys(secretHolders).filter((name) => /KEYS?$/.test(name));
  expect(keys.filter((name) => !named.includes(name))).toEqual([]);
});
