/** One order from its creation, by the public API, to its end, by the operator's command line. */
import { demoKey, operator } from './operator.ts';

interface Order {
  readonly id: string;
  readonly status: string;
}

const key = await demoKey('orders:read,orders:write', '1h');
const answer = await fetch(`${process.env.TILT_GATEWAY}/api/partner/v1/orders`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    external_id: `TILT-${Date.now()}`,
    pickup: { address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin' } },
    dropoff: { address_text: 'Turmstraße 21, 10559 Berlin' },
    pickup_window_start: new Date(Date.now() + 3_600_000).toISOString(),
    items: [{ goods_type: 'blood samples' }],
  }),
  signal: AbortSignal.timeout(20_000),
});
if (answer.status !== 201)
  throw new Error(`POST /orders answered ${answer.status}: ${await answer.text()}`);
const { id, status } = (await answer.json()) as Order;
process.stdout.write(`order ${id} is ${status}\n`);
const walked = await operator<Order>('order', 'walk', id);
process.stdout.write(`order ${id} is ${walked.status}\n`);
