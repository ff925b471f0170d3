/** Places that a command and its event need besides the transition, and that fail silently. */
import { readFileSync } from 'node:fs';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { commandRows } from '@pto/proto/order-commands';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { operatorFields, payloadFields } from '@pto/proto/payload-fields';
import {
  evidenceMethods,
  handoverStages,
  orderStatuses,
  partyRoles,
  slas,
} from '@pto/proto/vocabulary';
import { commandNames } from '../../e2e/chaos/order-model.ts';
import { de } from '../../packages/certificate/src/texts/de.ts';
import { en } from '../../packages/certificate/src/texts/en.ts';
import { describeHistory } from '../../services/gateway/pages/describe-history.ts';

const rows = commandRows.map(({ event: { type, entry } }) => [entry, type] as const);
const custodyPage = readFileSync(
  new URL('../../docs/partners/custody.md', import.meta.url),
  'utf8',
);

test.each(rows)('%s has its row in the documentation for partners', (internalType, type) => {
  expect(custodyPage).toContain(`\n| \`${internalType}\` | \`${type}\` | `);
});

test.each(rows)('%s has a title on the page /verify', (internalType, type) => {
  const [entry] = describeHistory([{ type, internal_type: internalType }]);
  expect(entry!.title).not.toContain(internalType);
});

test('each command is in the model of the chaos workload', () => {
  // incidents that follow from a handover or readings have no command of their own, the orders of the
  // workload require no evidence that could be waived, its commands do not know numbers of entries, and
  // it has no drivers with phones
  const left: readonly string[] = ['waive', 'resolve', 'arrive', 'revokeDevice', 'expect'];
  const own = commandRows
    .filter(({ call, name }) => call && !left.includes(name))
    .map(({ name }) => name);
  expect(own.toSorted()).toEqual([...commandNames].toSorted());
});

test.each(rows)('%s has a word of its own on a certificate in German', (internalType) => {
  expect(Object.keys(de.events)).toContain(internalType);
  expect(de.events[internalType]).not.toBe(en.events[internalType]);
});

test('the certificate has the same events in German and in English', () => {
  expect(Object.keys(de.events).toSorted()).toEqual(Object.keys(en.events).toSorted());
});

test.each([
  ['statuses', orderStatuses],
  ['slas', slas],
  ['stages', handoverStages],
  ['roles', partyRoles],
  ['methods', evidenceMethods],
] as const)('each of the %s has a word on a certificate in both languages', (name, values) => {
  for (const texts of [de, en])
    expect(Object.keys(texts[name]).toSorted()).toEqual([...values].toSorted());
});

/** Commands that have no button on the page of an order, each with the reason. */
const withoutButton: Readonly<Record<string, string>> = {
  recordHandover: 'a window of its own: handover-window.tsx',
  recordCondition: 'a file of readings: operator order condition',
  waiveEvidence: 'rare: operator order waive',
  updateOrder: 'price and notes: operator order update',
  recordDeviceRevocation: 'of a phone, on all orders of its driver: operator driver revoke',
  erasePersonalData: 'of an administrator, for many orders: operator erase',
};

/**
 * RPCs that are no entry of the history: two about the code of a ward's link, and one that computes what
 * reportExpectedTime stores.
 */
const withoutRow = ['checkHandoverCode', 'unlockHandoverCode', 'estimateArrival'];

test('each RPC that changes an order has a row, and a button or a reason for none', () => {
  const changes = OrderCommandService.methods
    .filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    .map(({ localName }) => localName)
    .filter((rpc) => !withoutRow.includes(rpc));
  const own = commandRows.flatMap(({ call }) => call ?? []);
  expect(own.map(({ rpc }) => rpc).toSorted()).toEqual(changes.toSorted());
  const buttonless = own.filter(({ label }) => label === undefined).map(({ rpc }) => rpc);
  expect(buttonless.toSorted()).toEqual(Object.keys(withoutButton).toSorted());
});

/** Names of fields that can identify a person, in payloads and in what an operator adds. */
const personal = new Set(
  [operatorFields, ...Object.values(payloadFields)].flatMap((fields) =>
    Object.keys(fields).filter((name) => fields[name] === 'personal'),
  ),
);

/** The fields of a message and of the messages in it. */
const fieldsOf = (message: DescMessage): readonly DescField[] =>
  message.fields.flatMap((field) => [field, ...(field.message ? fieldsOf(field.message) : [])]);

test('the audit log has no personal field of a command, because each is marked in proto', () => {
  const inputs = OrderCommandService.methods.map(({ input }) => input);
  const found = inputs.flatMap(fieldsOf).filter(({ name }) => personal.has(name));
  expect(found.length).toBeGreaterThan(4);
  const open = found.filter(({ proto }) => !proto.options?.debugRedact);
  expect(open.map(({ parent, name }) => `${parent.typeName}.${name}`)).toEqual([]);
});

test('a command with a field of an operator declares it in the payload of its event', () => {
  const missing = commandRows.flatMap(({ call, event: { entry } }) => {
    const method = OrderCommandService.methods.find(({ localName }) => localName === call?.rpc);
    const names = (method?.input.fields ?? []).map(({ name }) => name);
    return names
      .filter((name) => name in operatorFields && !(name in (payloadFields[entry] ?? {})))
      .map((name) => `${entry}.${name}`);
  });
  expect(missing).toEqual([]);
});
