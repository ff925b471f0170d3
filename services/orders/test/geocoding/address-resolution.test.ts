import { describe, expect, test } from '@jest/globals';
import { oneLine, parseAddressLine } from '../../src/geocoding/address-text.ts';
import { openGazetteer } from '../../src/geocoding/gazetteer.ts';
import { addressKey } from '../../src/locations/locations.ts';

const gazetteer = openGazetteer();
const signal = new AbortController().signal;
const at = (zip: string, city: string, country = 'DE') =>
  gazetteer.resolve({ street: 'Weg 1', zip, city, country }, signal);

describe('the gazetteer', () => {
  test.each([
    ['10117', 'Berlin', 'DE'],
    ['80331', 'München', 'DE'],
    ['80331', 'Muenchen', 'DE'],
    ['80331', 'Munich', 'de'],
    ['50667', 'Cologne', 'DE'],
    ['60311', 'Frankfurt', 'DE'],
    ['97070', 'WÜRZBURG', 'DE'],
    ['1010', 'Wien', 'AT'],
    ['110 00', 'Praha', 'CZ'],
    ['00-001', 'Warszawa', 'PL'],
    ['SW1A 1AA', 'London', 'GB'],
  ])('finds %s %s %s', async (zip, city, country) => {
    expect(await at(zip, city, country)).toMatchObject({ zip, city, country, street: 'Weg 1' });
  });

  test.each([
    ['00000', 'Nirgendwo', 'DE'],
    ['00000', 'Berlin', 'DE'],
    ['1011', 'Berlin', 'DE'],
    ['10117', 'Nirgendwo', 'DE'],
    ['10117', 'Berlin', 'XX'],
    ['12345', 'Wien', 'AT'],
    ['10117', 'constructor', 'constructor'],
    ['10117', '__proto__', '__proto__'],
  ])('does not find %s %s %s', async (zip, city, country) => {
    expect(await at(zip, city, country)).toBeNull();
  });

  test("gives the city's coordinates", async () => {
    const place = await at('10117', 'Berlin');
    expect(place?.lat).toBeCloseTo(52.52, 1);
    expect(place?.lng).toBeCloseTo(13.41, 1);
  });
});

test.each([
  'Charitéplatz 1\n10117 Berlin',
  'Charitéplatz 1,\r\n10117 Berlin\r\n',
  ' Charitéplatz 1 \n\n 10117 Berlin',
  'Charitéplatz 1\u202810117 Berlin',
  'Charitéplatz 1, 10117 Berlin',
])('an address of several lines is that of one line: %j', (text) => {
  expect(oneLine(text)).toBe('Charitéplatz 1, 10117 Berlin');
});

test('an address of 10,000 spaces is read at once', () => {
  const start = performance.now();
  expect(oneLine(`a${' '.repeat(10_000)}b\nc`)).toContain('b, c');
  expect(performance.now() - start).toBeLessThan(1000);
});

describe('one line of text', () => {
  test.each([
    ['Charitéplatz 1, 10117 Berlin', 'Charitéplatz 1', '10117', 'Berlin', undefined],
    ['12 Rue Nationale, F-57600 Forbach', '12 Rue Nationale', '57600', 'Forbach', 'FR'],
    ['Weg 1, A-1090 Wien', 'Weg 1', '1090', 'Wien', 'AT'],
    ['Weg 1, at-1090 Wien', 'Weg 1', '1090', 'Wien', 'AT'],
    ['Weg 1, CH-8091 Zürich, Schweiz', 'Weg 1', '8091', 'Zürich', 'CH'],
    ['Weg 1, PL-00-001 Warszawa', 'Weg 1', '00-001', 'Warszawa', 'PL'],
    ['Weg 1, S-111 22 Stockholm', 'Weg 1', '111 22', 'Stockholm', 'SE'],
    ['Weg 1, L-1855 Luxembourg', 'Weg 1', '1855', 'Luxembourg', 'LU'],
    ['Charitéplatz 1,  D-10117  Berlin , Deutschland', 'Charitéplatz 1', '10117', 'Berlin', 'DE'],
    ['Haus A, Weg 2, 1010 Wien, Österreich', 'Haus A, Weg 2', '1010', 'Wien', 'AT'],
    ['10 Downing St, London SW1A 2AA, United Kingdom', '10 Downing St', 'SW1A 2AA', 'London', 'GB'],
  ])('%s', (line, street, zip, city, country) => {
    expect(parseAddressLine(line)).toEqual({ street, zip, city, country });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'takes %s as a country without a code',
    (name) =>
      expect(parseAddressLine(`Weg 1, 10117 Berlin, ${name}`)?.country).toBe(name.toUpperCase()),
  );

  test.each([
    ['12 Rue Nationale, F-57600 Forbach', 'FR'],
    ['Weg 1, A-1090 Wien', 'AT'],
    ['Weg 1, CH-8091 Zürich', 'CH'],
    ['Weg 1, L-1855 Luxembourg', 'LU'],
    ['Weg 1, 76596 Forbach', 'DE'],
  ])('%s is in %s', async (line, country) => {
    expect(await gazetteer.resolveText(line, signal)).toMatchObject({ country });
  });

  test('of two countries that differ is no address', async () => {
    const line = 'Weg 1, F-57600 Forbach, Deutschland';
    expect(await gazetteer.resolveText(line, signal)).toBeNull();
  });

  test.each(['Berlin', '10117 Berlin', ', 10117 Berlin', 'Weg 1,', 'Weg 1, Berlin'])(
    '%s is not enough',
    (line) => expect(parseAddressLine(line)).toBeNull(),
  );
});

test('spelling, case and spaces do not change the key of an address', () => {
  const one = { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin', country: 'DE' };
  const same = {
    street: ' CHARITE\u0301PLATZ  1',
    zip: '１０１１７',
    city: 'berlin ',
    country: 'de',
  };
  expect(addressKey(same)).toEqual(addressKey(one));
  expect(addressKey({ ...one, street: 'Charitéplatz 2' })).not.toEqual(addressKey(one));
  expect(addressKey({ ...one, street: 'Charitéplatz', zip: '110117' })).not.toEqual(
    addressKey(one),
  );
});

test('case folding makes one address of ß, ẞ and SS, and of Σ at the end of a word', () => {
  const one = { street: 'Hauptstraße 12', zip: '10117', city: 'Οδος', country: 'DE' };
  for (const street of ['HAUPTSTRASSE 12', 'HauptstraẞE 12', 'hauptstrasse 12'])
    expect(addressKey({ ...one, street, city: 'ΟΔΟΣ' })).toEqual(addressKey(one));
  expect(addressKey({ ...one, street: 'Hauptstrase 12' })).not.toEqual(addressKey(one));
});
