import { expect, test } from '@jest/globals';
import { type Sql, uuidv7 } from '@pto/database';
import { cachedLocations } from '../../src/locations/locations.ts';

const organizationId = uuidv7();

const rowsOf = (count: number, street: string) =>
  Array.from({ length: count }, () => ({
    organization_id: organizationId,
    ...{ id: uuidv7(), label: 'Station 1', street, zip: '10117', city: 'Berlin', country: 'DE' },
    ...{ lat: null, lng: null, created_via_api: true, created_at: '2026-11-01 00:00:00+00' },
  }));

const keyOf = ({ id }: { id: string }) => ({ organizationId, id });

/** Finds locations in the order in which they are given; then the first and the last again. */
const absentAgain = async (rows: ReturnType<typeof rowsOf>): Promise<boolean[]> => {
  let reads = 0;
  const sql: Sql = {
    query: async <Row>() => {
      reads++;
      return rows as Row[];
    },
  };
  const find = cachedLocations();
  await find(sql, rows.map(keyOf));
  const absent: boolean[] = [];
  for (const row of [rows.at(-1)!, rows[0]!]) {
    const before = reads;
    await find(sql, [keyOf(row)]);
    absent.push(reads > before);
  }
  return absent;
};

test('10,000 locations are cached, and no more', async () => {
  expect(await absentAgain(rowsOf(10_000, 'Weg 1'))).toEqual([false, false]);
  expect(await absentAgain(rowsOf(10_001, 'Weg 1'))).toEqual([false, true]);
});

test('fewer of the largest locations are cached', async () => {
  const street = '\u0007'.repeat(500); // 6 bytes each in JSON
  expect(await absentAgain(rowsOf(2000, street))).toEqual([false, false]);
  expect(await absentAgain(rowsOf(3000, street))).toEqual([false, true]);
});
