import type { Backends } from '../../services/gateway/src/backends.ts';
import { basePath, routeTable } from '../../services/gateway/src/routes/table.ts';
import { orderBody } from '../partner.ts';
import type { RawRequest } from './request.ts';

/** The gateway's own rows, so that no route can be forgotten. */
export const routes = routeTable({} as Backends, 'sandbox');

/** What is there to be asked for. */
export interface Known {
  readonly key: string;
  readonly orderId: string;
  readonly endpointId: string;
}

/** `n` makes an address that no other request has: an address that is known keeps its first text. */
const bodies: Readonly<Record<string, (n: number) => object>> = {
  createOrder: (n) =>
    orderBody({
      pickup: { address: { street: `S${n}:Weg`, zip: '10117', city: 'Berlin', label: 'L' } },
      external_id: `hostile-${n}`,
      notes: 'Vorsicht',
      pickup_detail: 'ring twice',
    }),
  createLocation: (n) => ({
    label: 'Klinik',
    street: `S${n}:Straße`,
    zip: '10117',
    city: 'Berlin',
    notes: 'n',
    contact_phone: '+49 30 1',
  }),
  cancelOrder: () => ({ reason: 'not needed' }),
  createWebhook: () => ({ url: 'https://127.0.0.1:9/hook', event_filter: ['order.sealed'] }),
  updateWebhook: () => ({ event_filter: null, disabled: false }),
};

/** A request of this route that is taken. @param n makes it unlike all others. */
export const goodRequest = (
  route: (typeof routes)[number],
  known: Known,
  n: number,
): RawRequest => {
  const body = bodies[route.name]?.(n);
  if (route.schemas.body && !body) throw new Error(`no good body is known for ${route.name}`);
  const path = route.path
    .replace(':order_id', known.orderId)
    .replace(':endpoint_id', known.endpointId);
  return {
    method: route.method,
    target: `${basePath}${path}`,
    version: 'HTTP/1.1',
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${known.key}`],
      ['Connection', 'close'],
      ...(body ? [['Content-Type', 'application/json'] as const] : []),
    ],
    body: body ? Buffer.from(JSON.stringify(body)) : Buffer.alloc(0),
    framing: 'length',
    lineEnd: '\r\n',
  };
};
