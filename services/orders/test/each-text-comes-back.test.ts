import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import {
  anOrder,
  bodyOf,
  type OrdersUnderTest,
  ordersOf,
  startOrdersService,
} from './orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

const isOptionalText = (field: DescField): boolean =>
  field.fieldKind === 'scalar' &&
  !field.name.endsWith('_json') &&
  field.scalar === ScalarType.STRING &&
  field.presence === FeatureSet_FieldPresence.EXPLICIT;

const fields = CreateOrderRequestSchema.fields.filter(isOptionalText);

/** A value for each text: its own name, or a time. */
const valueFor = ({ name }: DescField): string =>
  name === 'pickup_window_end' ? '2026-12-01T09:00:00.000Z' : `the ${name}`;

test('each optional text of a request comes back from create, get, list and show', async () => {
  expect(fields.map(({ name }) => name)).toContain('notes');
  const texts = Object.fromEntries(fields.map((field) => [field.localName, valueFor(field)]));
  const expected = Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]));
  const request = anOrder(texts);
  const created = bodyOf(await under.orders.createOrder(request));
  const { organizationId } = request;
  const { id } = created;
  expect(created).toMatchObject(expected);
  expect(bodyOf(await under.orders.getOrder({ organizationId, id }))).toEqual(created);
  const page = await under.orders.listOrders({ organizationId, limit: 1 });
  expect(ordersOf(page)).toEqual([created]);
  expect((await under.commands.showOrder({ orderId: id })).order).toMatchObject(texts);
});

test('an absent text is null', async () => {
  const created = bodyOf(await under.orders.createOrder(anOrder()));
  for (const { name } of fields) expect(created[name]).toBeNull();
});
