import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import { createOrderRequest, order, orderCreate } from '../../src/resources/orders.ts';
import { Faults, Input } from '../../src/validation/schema.ts';

const isOptionalText = (field: DescField): boolean =>
  field.fieldKind === 'scalar' &&
  !field.name.endsWith('_json') &&
  field.scalar === ScalarType.STRING &&
  field.presence === FeatureSet_FieldPresence.EXPLICIT;

test('each optional text of the RPC is the member of the request with the same name', () => {
  const texts = CreateOrderRequestSchema.fields
    .filter(isOptionalText)
    .filter(({ name }) => name !== 'pickup_window_end'); // a time
  const end = { address_text: 'Lindenallee 12' };
  const body = {
    ...{ pickup: end, dropoff: end, pickup_window_start: '2030-01-01T00:00Z' },
    ...Object.fromEntries(texts.map(({ name }) => [name, `text of ${name}`])),
  };
  const read = orderCreate.read(new Input(body, 'body', new Faults()));
  const request = createOrderRequest('organization', read as never, undefined);
  expect(request).toMatchObject(
    Object.fromEntries(texts.map(({ name, localName }) => [localName, `text of ${name}`])),
  );
  expect(Object.keys(order.fields)).toEqual(expect.arrayContaining(texts.map(({ name }) => name)));
});
