import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import { orderTexts } from '../../src/order-texts.ts';

const isOptionalText = (field: DescField): boolean =>
  field.fieldKind === 'scalar' &&
  field.scalar === ScalarType.STRING &&
  field.presence === FeatureSet_FieldPresence.EXPLICIT;

test('each optional text of the RPC is a member of the request with the same name', () => {
  const texts = CreateOrderRequestSchema.fields
    .filter(isOptionalText)
    .filter(({ name }) => name !== 'pickup_window_end') // a time
    .map(({ name, localName }) => [name, expect.objectContaining({ field: localName })]);
  expect(orderTexts).toEqual(Object.fromEntries(texts));
});
