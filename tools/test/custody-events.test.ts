/** Places that a command and its event need besides the transition, and that fail silently. */
import { readFileSync } from 'node:fs';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import {
  handoverMethods,
  handoverStages,
  orderStatuses,
  partyRoles,
  slas,
} from '@pto/proto/vocabulary';
import { actions } from '../../console/src/pages/order/commands.ts';
import { commandNames } from '../../e2e/chaos/order-model.ts';
import { de } from '../../packages/certificate/src/texts/de.ts';
import { en } from '../../packages/certificate/src/texts/en.ts';
import { describeHistory } from '../../services/gateway/pages/describe-history.ts';
import { transitions } from '../../services/orders/src/domain/decide.ts';

const rows = Object.values(transitions).map(([, , type, internalType]) => [internalType, type]);
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
  // incidents that follow from a handover or readings have no command of their own
  const own = Object.keys(transitions).filter(
    (name) => !['sealMismatch', 'excursion'].includes(name),
  );
  expect(own.toSorted()).toEqual([...commandNames].toSorted());
});

test.each(rows)('%s has a word of its own on a certificate in German', (internalType) => {
  expect(Object.keys(de.events)).toContain(internalType);
  expect(de.events[internalType!]).not.toBe(en.events[internalType!]);
});

test('the certificate has the same events in German and in English', () => {
  expect(Object.keys(de.events).toSorted()).toEqual(Object.keys(en.events).toSorted());
});

test.each([
  ['statuses', orderStatuses],
  ['slas', slas],
  ['stages', handoverStages],
  ['roles', partyRoles],
  ['methods', handoverMethods],
] as const)('each of the %s has a word on a certificate in both languages', (name, values) => {
  for (const texts of [de, en])
    expect(Object.keys(texts[name]).toSorted()).toEqual([...values].toSorted());
});

/** Commands that the table of the page has not, each with the reason. */
const withoutRow: Readonly<Record<string, string>> = {
  recordHandover: 'a window of its own: handover-window.tsx',
  recordCondition: 'a file of readings: operator order condition',
  updateOrder: 'price and notes: operator order update',
  erasePersonalData: 'of an administrator, for many orders: operator erase',
};

test('each command has a button on the page of an order, or a reason for none', () => {
  const commands = OrderCommandService.methods
    .filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    .map(({ localName }) => localName);
  const known = [...actions.map(({ rpc }) => rpc), ...Object.keys(withoutRow)];
  expect(known.toSorted()).toEqual(commands.toSorted());
});
