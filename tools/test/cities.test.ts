import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { openCityTable } from '../../services/orders/src/geocoding/gazetteer.ts';
import { cityTable, townsOfEurope } from '../cities.ts';

const path = new URL('../../services/orders/src/geocoding/cities.tsv', import.meta.url);

test('the towns of the map are what `node tools/cities.ts` writes', () => {
  const towns = new URL('../../services/console/src/map/towns.json', import.meta.url);
  expect(readFileSync(towns, 'utf8')).toBe(townsOfEurope());
});

test('the table of cities is what `node tools/cities.ts` writes, and every line is found', () => {
  const written = readFileSync(path, 'utf8');
  expect(written === cityTable()).toBe(true);
  const find = openCityTable();
  const lines = written.trimEnd().split('\n').slice(1);
  expect(lines.length).toBeGreaterThan(120_000);
  const missed = lines.filter((line) => {
    const [spelling, lat, lng] = line.split('\t');
    const found = find(spelling!);
    return found?.lat !== Number(lat) || found.lng !== Number(lng);
  });
  expect(missed).toEqual([]);
  for (const unknown of [
    '',
    '#',
    'AA',
    'DE',
    'DE berli',
    'DE berlinx',
    'ZZ z',
    'DE \n',
    '\u{10ffff}',
  ])
    expect(find(unknown)).toBeNull();
});
