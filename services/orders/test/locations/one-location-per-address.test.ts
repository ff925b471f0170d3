import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  anOrder,
  bodyOf,
  charite,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

const address = (value: object) => ({ place: { case: 'address' as const, value } });
const text = (value: string) => ({ place: { case: 'addressText' as const, value } });
const isar = { street: 'Marienplatz 1', zip: '80331', city: 'München', country: 'DE' };

test('fifty orders with two addresses in several spellings create two locations', async () => {
  const organizationId = randomUUID();
  const spelt = [
    address(charite),
    address({ ...charite, street: '  CHARITÉPLATZ   1', city: 'berlin' }),
    // composed and decomposed, and full-width digits
    address({ ...charite, street: 'Charitéplatz 1'.normalize('NFD'), zip: '１０１１７' }),
    text('Charitéplatz 1, 10117 Berlin'),
  ];
  const answers: Record<string, unknown>[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < 50; n = next++) {
      const [a, b] = [spelt[n % spelt.length]!, address(isar)];
      const stops = n % 2 === 0 ? { pickup: a, dropoff: b } : { pickup: b, dropoff: a };
      answers.push(bodyOf(await under.orders.createOrder(anOrder({ organizationId, ...stops }))));
    }
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  const places = answers.flatMap((order) => [order.pickup_location, order.dropoff_location]);
  const ids = new Set(places.map((place) => (place as { id: string }).id));
  expect(ids.size).toBe(2);
  const { locations } = await under.locations.listLocations({ organizationId });
  expect(new Set(locations.map(({ id }) => id))).toEqual(ids);
  expect(locations.every(({ createdViaApi }) => createdViaApi)).toBe(true);
});

test('an existing location is returned unchanged, with its label, notes and contact', async () => {
  const organizationId = randomUUID();
  const make = async (more: object) =>
    bodyOf(
      await under.locations.createLocation({
        organizationId,
        ...charite,
        label: 'Ward 1',
        ...more,
      }),
    );
  const first = await make({});
  const again = await make({ label: 'Other', notes: 'n', contactName: 'c', contactPhone: '1' });
  expect(again).toEqual(first);
  const order = bodyOf(
    await under.orders.createOrder(
      anOrder({ organizationId, pickup: address({ ...charite, label: 'Third' }) }),
    ),
  );
  expect(order.pickup_location).toMatchObject({ id: first.id, label: 'Ward 1' });
});

test('a label is the address’s own, or made of it and cut to its length', async () => {
  const made = async (value: object) =>
    bodyOf(await under.orders.createOrder(anOrder({ pickup: address(value) }))).pickup_location;
  expect(await made({ ...charite, label: 'Aufnahme 😀' })).toMatchObject({ label: 'Aufnahme 😀' });
  expect(await made(charite)).toMatchObject({ label: 'Charitéplatz 1, 10117 Berlin' });
  const long = { ...charite, street: '😀'.repeat(255) };
  expect(await made(long)).toMatchObject({ label: '😀'.repeat(120) });
});

test('the same address of another organization is another location', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(async () => bodyOf(await under.orders.createOrder(anOrder()))),
  );
  expect((one!.pickup_location as { id: string }).id).not.toBe(
    (other!.pickup_location as { id: string }).id,
  );
});

test('dropoff_address_text is the text that was given, and null for anything else', async () => {
  const shown = async (dropoff: object) =>
    bodyOf(await under.orders.createOrder(anOrder({ dropoff }))).dropoff_address_text;
  expect(await shown(text(' Marienplatz 1,  80331 München '))).toBe(
    ' Marienplatz 1,  80331 München ',
  );
  expect(await shown(address(isar))).toBeNull();
});
