import { expect, test } from '@jest/globals';
import { eventNames } from '@pto/proto/vocabulary';
import {
  knownEventNames,
  type OrderEvent,
  type OrderEventName,
  type TestEvent,
  type UnknownEvent,
  type Verdict,
  verify,
} from '../src/index.ts';
import { sample, sealed } from './deliveries/bodies.ts';
import { secret, signed, t } from './deliveries/sign.ts';

/** Compiles only while each branch has narrowed to its own type. */
const told = (verdict: Verdict): string => {
  if (!verdict.valid) return verdict.reason;
  if (!verdict.known) {
    const { event }: UnknownEvent = verdict.event;
    return `passed over: ${event}`;
  }
  switch (verdict.event.event) {
    case 'order.test': {
      const { data }: TestEvent = verdict.event;
      return `a test of ${data.order.external_id}`;
    }
    case 'order.sealed': {
      const { data }: OrderEvent = verdict.event;
      return `${data.order.external_id} is sealed`;
    }
    default: {
      const event: Exclude<OrderEventName, 'order.sealed'> = verdict.event.event;
      return event;
    }
  }
};

const verdictOf = (body: object): Promise<Verdict> => {
  const rawBody = JSON.stringify(body);
  return verify({ rawBody, header: signed(rawBody), secrets: [secret], now: t });
};

test('a known name has its members, and a new one is passed over', async () => {
  expect(told(await verdictOf(sealed))).toBe('PO-2026-0815 is sealed');
  expect(told(await verdictOf(sample))).toBe('a test of TEST');
  expect(told(await verdictOf({ ...sealed, event: 'order.closed' }))).toBe('order.closed');
  const added = { event: 'order.photographed', occurred_at: sealed.occurred_at };
  expect(told(await verdictOf(added))).toBe('passed over: order.photographed');
});

test('every name of the contract is known', async () => {
  for (const event of knownEventNames)
    expect(await verdictOf({ ...sealed, event })).toMatchObject({ valid: true, known: true });
  expect(knownEventNames).toEqual(eventNames);
});
