import { expect, test } from '@jest/globals';
import { isChecked, languageViolations } from '../../rules/language.ts';

const path = 'services/orders/src/a.ts';

test('a replaced word is reported with its place and its standard term', () => {
  expect(languageViolations(path, '/** Fine. */\n// Redis is away.')).toEqual([
    `${path}:2: "is away": use "unavailable"`,
  ]);
});

test.each([
  ['a word inside a camelCase name', 'const heldFlights = createPulse();', 2],
  ['the name of an import', "from '../circumstances.ts'", 1],
  ['British spelling', 'an organisation serialises its behaviour', 3],
  ['a verb without an actor', 'whoever is asked is told', 3],
])('%s is reported', (_, line, count) => {
  expect(languageViolations(path, line)).toHaveLength(count);
});

test('a file name is checked like a line, also that of a test', () => {
  expect(languageViolations('services/gateway/src/http/doors.ts', '')).toHaveLength(1);
  expect(languageViolations('services/gateway/test/doors.test.ts', '')).toHaveLength(1);
});

test.each([
  ['requests in flight', 'webhook_attempts_in_flight, requestsInFlight, in-flight attempts'],
  ['fields of the RPC wire', 'orders.acceptOrder({ circumstances: { orderId } })'],
  ['ordinary English', 'the outdoor temperature is recommended and amended right away'],
  ['the file that decisions name', "join(folder, 'mesh.json'), MESH_FILE"],
])('%s are allowed', (_, line) => {
  expect(languageViolations(path, line)).toEqual([]);
});

test.each([
  ['docs/glossary.md', false],
  ['services/orders/migrations/20261129180000_orders.ts', false],
  ['proto/gen/orders/v1/orders_pb.d.ts', false],
  ['package-lock.json', false],
  ['README.md', true],
])('%s: checked is %s', (file, checked) => {
  expect(isChecked(file)).toBe(checked);
});
