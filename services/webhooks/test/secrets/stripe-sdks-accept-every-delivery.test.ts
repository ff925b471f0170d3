/**
 * Receivers may verify with what they have: Stripe's header has the same form (contract 6.4). Its
 * SDKs and our own verifier judge the very deliveries that a receiver caught.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { eventNames } from '@pto/proto/vocabulary';
import { until } from '@pto/testing';
import { signatureHeader, signingKey } from '../../src/secrets/sign.ts';
import {
  byStripe,
  byStripesPython,
  byUs,
  type Call,
  stripesPython,
} from '../signature-verifiers.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const references = [
  'PO-7',
  '',
  'Größe 東京 😀',
  '"quoted\\" \u2028\n\t',
  '\u0000',
  'x'.repeat(100),
];
const retriedTimes = 3;

const under = underTest({ WEBHOOKS_RETRY_WAITS: '40ms,40ms,40ms,40ms,1s' });

/** Every event of the contract, with every reference, retries and the sample among them. */
const caught: Call[] = [];
let otherSecret: string;
beforeAll(async () => {
  const { id, organizationId, secret, receiver } = await under.endpoint();
  otherSecret = (await under.endpoint()).secret;
  let refusals = retriedTimes;
  receiver.answer = (_request, response) => {
    response.writeHead(refusals-- > 0 ? 500 : 204).end();
  };
  await under.replica.webhooks.testEndpoint({ id, organizationId });
  const names = eventNames.filter((name) => name !== 'order.test');
  const events = names.flatMap((type) =>
    references.flatMap((externalId) =>
      eventsOf(organizationId, 1, { type }).map((custody) => {
        custody.event!.order!.externalId = externalId;
        return custody;
      }),
    ),
  );
  await under.stores.publish(events);
  await deliveriesOf(under.replica, id, 'DELIVERED', 50); // a page of them
  await until(() => new Set(receiver.received.map((post) => post.id)).size === events.length + 1, {
    what: 'every delivery',
  });
  await until(() => receiver.received.length >= events.length + retriedTimes, {
    what: 'the retries',
  });
  for (const { rawBody, signature: header } of receiver.received) {
    const now = Number(/^t=(\d+)/.exec(header)![1]);
    caught.push({ rawBody, header, secret, now });
  }
  expect(new Set(receiver.received.map((post) => post.event))).toEqual(new Set(eventNames));
});

/** One byte of each body is another one, every time at another place. */
const changed = (call: Call, n: number): Call => {
  const rawBody = Buffer.from(call.rawBody);
  const at = (n * 7) % rawBody.length;
  rawBody[at] = rawBody[at]! ^ 1;
  return { ...call, rawBody };
};

const accepted: readonly (readonly [string, (call: Call, n: number) => Call])[] = [
  ['as it came', (call) => call],
  ['300 s later', (call) => ({ ...call, now: call.now + 300 })],
  ['while the secret is replaced, by who has the old one', (call) => bothSigned(call)],
  [
    'while the secret is replaced, by who has the new one',
    (call) => ({ ...bothSigned(call), secret: otherSecret }),
  ],
];
const refused: typeof accepted = [
  ['with one byte changed', changed],
  ['by another secret', (call) => ({ ...call, secret: otherSecret })],
  ['301 s later', (call) => ({ ...call, now: call.now + 301 })],
];

/** As the service signs while two secrets hold. */
const bothSigned = (call: Call): Call => {
  const keys = [otherSecret, call.secret].map(signingKey);
  return { ...call, header: signatureHeader(keys, call.now, call.rawBody) };
};

const judgements = [
  ...accepted.map(([how, of]) => [how, of, true] as const),
  ...refused.map(([how, of]) => [how, of, false] as const),
];

test.each(judgements)(
  "every delivery %s, judged by Stripe's SDK and by ours",
  async (_, of, good) => {
    const calls = caught.map(of);
    expect(calls.length).toBeGreaterThan(80);
    expect(calls.map(byStripe)).toEqual(calls.map(() => good));
    expect(await Promise.all(calls.map(byUs))).toEqual(calls.map(() => good));
  },
);

(stripesPython ? test.each(judgements) : test.skip.each(judgements))(
  "every delivery %s, judged by Stripe's SDK for Python",
  (_, of, good) => {
    const calls = caught.map(of);
    expect(calls.length).toBeGreaterThan(80);
    expect(byStripesPython(calls)).toEqual(calls.map(() => good));
  },
);
