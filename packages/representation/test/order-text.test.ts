import { readFileSync } from 'node:fs';
import { ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import type { Location } from '@pto/proto/orders/v1/locations';
import { type Order, OrderSchema } from '@pto/proto/orders/v1/orders';
import { locationJson, orderBytes, orderJson, orderText } from '@pto/representation';
import fc from 'fast-check';

/** Texts with quotation marks, control characters, lone surrogates, and texts like the markers. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\0', '\u2028', '😀', '\ud83d', '{', ':') }),
  fc.constantFrom(
    ...['', '"items":[]', '"items":[],', '","items":[],"', 'items', '\\"items\\":[]'],
    ...['"pickup_location":null,"dropoff_location":null', 'pickup_location', '$&', '$1', 'null'],
  ),
);
const optional = fc.option(text, { nil: undefined });

const location: fc.Arbitrary<Location> = fc.record({
  $typeName: fc.constant('orders.v1.Location' as const),
  ...{ id: text, label: text, street: text, zip: text, city: text, country: text },
  lat: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
  lng: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
  createdViaApi: fc.boolean(),
  createdAt: text,
});

/** A text for each text of the message; absent or present for an optional one. */
const texts = Object.fromEntries(
  OrderSchema.fields
    .filter((field) => field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING)
    .map(({ localName, presence }) => [
      localName,
      presence === FeatureSet_FieldPresence.EXPLICIT ? optional : text,
    ]),
);

const order = fc.record({
  ...texts,
  $typeName: fc.constant('orders.v1.Order' as const),
  priceTotal: fc.constantFrom(undefined, '0', '0.10', '9999999999.99'),
  requiredEvidenceJson: fc.constantFrom(undefined, '{"pickup":["pin"],"dropoff":[],"return":[]}'),
  openIncidentsJson: fc.constantFrom(undefined, '[{"entry":3,"kind":"delay","severity":"low"}]'),
  temperatureMin: fc.constantFrom(undefined, '-80.25', '0.00'),
  temperatureMax: fc.constantFrom(undefined, '8.00'),
  sequence: fc.nat(),
  pickupLocation: fc.option(location, { nil: undefined }),
  dropoffLocation: fc.option(location, { nil: undefined }),
  items: fc.array(
    fc.record({
      $typeName: fc.constant('orders.v1.OrderItem' as const),
      goodsType: text,
      sealId: optional,
    }),
  ),
}) as unknown as fc.Arbitrary<Order>;

const nullsOf = (members: object) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value ?? null]));

test('the text is the JSON of the order, whatever its texts are', () => {
  fc.assert(
    fc.property(order, (one) => {
      const expected = orderJson(one);
      const parts = {
        pickup: JSON.stringify(one.pickupLocation ? locationJson(one.pickupLocation) : null),
        dropoff: JSON.stringify(one.dropoffLocation ? locationJson(one.dropoffLocation) : null),
        items: JSON.stringify(expected.items),
      };
      expect(orderText(one, parts)).toBe(JSON.stringify(expected));
      // a row has null in place of an absent value
      expect(orderText(nullsOf(one) as Order, parts)).toBe(JSON.stringify(expected));
    }),
    { numRuns: 2000 },
  );
});

test('the bytes are those of the text, also of a large order', () => {
  const long = JSON.stringify([{ goods_type: '"b" ü €😀\ud83d'.repeat(2048), seal_id: null }]);
  const places = fc.constantFrom('null', '{"label":"Köln"}');
  const parts = fc.record({ pickup: places, dropoff: places, items: fc.constantFrom('[]', long) });
  fc.assert(
    fc.property(order, parts, (one, given) => {
      const bytes = orderBytes(one, given);
      expect(bytes.equals(Buffer.from(orderText(one, given)))).toBe(true);
    }),
  );
});

test('the members are those of the OpenAPI document, in its order', () => {
  const [one] = fc.sample(order, { numRuns: 1, seed: 1 });
  const { Order: schema } = JSON.parse(
    readFileSync(new URL('../../../services/gateway/openapi/v1.json', import.meta.url), 'utf8'),
  ).components.schemas;
  expect(Object.keys(orderJson(one!))).toEqual(Object.keys(schema.properties));
});
