/** A client of openapi-fetch over generated types; compiled and executed by a test. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.ts';

/** Responds to each request with the next of these. */
const responding =
  (...responses: [status: number, body: unknown][]) =>
  async () => {
    const [status, body] = responses.shift()!;
    return Response.json(body, { status });
  };

const order = {
  pickup: { location_id: '018f4e90-1c5d-7a2e-b6f4-3d8e9a0b1c11' },
  dropoff: { address: { street: 'Am Kanal 5', zip: '14467', city: 'Potsdam' } },
  pickup_window_start: '2026-03-02T08:00:00Z',
} satisfies components['schemas']['OrderCreate']; // members with a default may be absent

/** What to do with an error of createOrder. */
const reaction = async (status: number, error: unknown): Promise<string> => {
  const client = createClient<paths>({
    baseUrl: 'https://a.example',
    fetch: responding([status, error]),
  });
  const { data, error: found } = await client.POST('/orders', { body: order });
  if (data) return data.id;
  if ('error' in found) {
    const { code, details } = found.error;
    switch (code) {
      case 'DUPLICATE_EXTERNAL_ID':
        return `use order ${details?.order_id}`;
      case 'RATE_LIMITED':
        return 'wait';
      default:
        return `unknown code ${code}`;
    }
  }
  return found.detail.map(({ loc, ctx }) => `${loc.join('.')}: ${ctx?.error}`).join();
};

assert.equal(
  await reaction(409, {
    error: { code: 'DUPLICATE_EXTERNAL_ID', message: '', details: { order_id: 'o1' } },
  }),
  'use order o1',
);
assert.equal(
  await reaction(409, { error: { code: 'NEW_CODE', message: '' } }),
  'unknown code NEW_CODE',
);
assert.equal(
  await reaction(422, {
    detail: [{ loc: ['body', 'sla'], msg: '', type: 'enum', ctx: { error: 'e' } }],
  }),
  'body.sla: e',
);

/** Values of the known enumeration are literals; an unknown value has a case of its own. */
const label = (status: components['schemas']['OrderStatus']): string => {
  const labels: Partial<Record<string, string>> = {
    SEALED: 'sealed',
    DELIVERED: 'delivered',
  } satisfies Partial<Record<components['schemas']['KnownOrderStatus'], string>>;
  return labels[status] ?? `another status: ${status}`;
};
const client = createClient<paths>({
  baseUrl: 'https://a.example',
  fetch: responding([200, { id: 'o1', status: 'PAUSED', sla: 'NIGHT' }]),
});
const got = await client.GET('/orders/{order_id}', { params: { path: { order_id: 'o1' } } });
assert.equal(label(got.data!.status), 'another status: PAUSED');

const filter: components['schemas']['KnownOrderStatus'] = 'SEALED';
await createClient<paths>({
  baseUrl: 'https://a.example',
  fetch: responding([200, { data: [], next_cursor: null }]),
}).GET('/orders', { params: { query: { status: filter } } });

// @ts-expect-error requests take known values only
const wrong: components['schemas']['KnownOrderStatus'] = 'PAUSED';
// @ts-expect-error a misspelt member of a response does not compile
got.data?.stauts;
void wrong;

/** The event of a webhook; `payload` of a custody entry has members of any name. */
const seals = ({ type, payload }: components['schemas']['CustodyEntry']): unknown =>
  type === 'order.sealed' ? payload?.seal_ids : undefined;
assert.deepEqual(
  seals({
    id: 'e1',
    type: 'order.sealed',
    internal_type: 'SEAL_APPLIED',
    ts_utc: '2026-01-15T09:30:00.000Z',
    prev_event_hash: '',
    event_hash: '',
    payload: { seal_ids: ['S-1'] },
  }),
  ['S-1'],
);
