import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { addressKey } from '../../src/locations/address-key.ts';
import { asOwner, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

const name = '20261126050000_address_keys_folded';

let under: OrdersUnderTest;
beforeAll(async () => {
  const database = await testDatabase('orders');
  const before = migrations.slice(
    0,
    migrations.findIndex((one) => one.name === name),
  );
  await migrate(database.ownerUrl, before);
  await asOwner(database, async (owner) => {
    for (const [organization, street] of stored)
      await owner.query(
        `insert into locations (id, organization_id, label, street, zip, city, country, address_key,
           created_via_api) values (uuidv7(), $1, 'L', $2, '10117', 'Berlin', 'DE', $3, true)`,
        [organization, street, keyBefore(street)],
      );
  });
  under = await startOrdersService({ database });
});
afterAll(() => under.stop());

const [both, one] = [randomUUID(), randomUUID()];
const stored = [
  [one, 'Hauptstraße 12'],
  [one, 'Weg 1'],
  [both, 'Hauptstraße 12'],
  [both, 'HAUPTSTRASSE 12'],
] as const;

const rest = { zip: '10117', city: 'Berlin', country: 'DE' };

/** The key without case folding. */
const keyBefore = (street: string) =>
  createHash('sha256').update([street.toLowerCase(), '10117', 'berlin', 'de'].join('\0')).digest();

const create = async (organizationId: string, street: string) =>
  (await under.locations.createLocation({ organizationId, label: 'New', street, ...rest }))
    .location!;

test('a location that was stored before is found by its other spelling', async () => {
  expect(await create(one, 'HAUPTSTRASSE 12')).toMatchObject({ street: 'Hauptstraße 12' });
  expect(await create(one, 'WEG 1')).toMatchObject({ street: 'Weg 1' });
  expect(addressKey({ street: 'WEG 1', ...rest })).toEqual(keyBefore('Weg 1'));
});

test('of two locations that become one address both stay, and one is found from now on', async () => {
  const found = await create(both, 'Hauptstrasse 12');
  expect(found.label).toBe('L');
  expect((await create(both, 'Hauptstraße 12')).id).toBe(found.id);
  const { locations } = await under.locations.listLocations({ organizationId: both });
  expect(locations).toHaveLength(2);
});
