import { deliveryJson, orderDeliveriesJson } from '@pto/representation';
import type { Backends } from '../backends.ts';
import { json } from '../http/respond.ts';
import {
  delivery,
  deliveryList,
  deliveryPath,
  deliveryQuery,
  orderDeliveries,
  recover,
  recovery,
} from '../resources/deliveries.ts';
import { orderPath } from '../resources/orders.ts';
import { endpointPath } from '../resources/webhooks.ts';
import type { Output } from '../validation/schema.ts';
import { toMillis } from '../validation/texts.ts';
import { route } from './route.ts';

/** The operations on deliveries; an addition to contract 4.9. */
export const deliveryRoutes = ({ orders, webhooks }: Pick<Backends, 'orders' | 'webhooks'>) => [
  route({
    ...collection,
    name: 'listDeliveries',
    method: 'GET',
    schemas: { path: endpointPath, query: deliveryQuery },
    lane: 'rows',
    response: deliveryList,
    summary: 'List deliveries',
    description:
      'Newest first. Deliveries are stored for 30 days, also after the endpoint was deleted.',
    handle: async ({ organizationId, path, query, read }) => {
      const page = await webhooks.listEndpointDeliveries(
        {
          organizationId,
          endpointId: path.endpoint_id,
          limit: query.limit,
          state: query.state ?? '',
          event: query.event ?? '',
          orderId: query.order_id ?? '',
          beforeId: query.cursor ?? '',
        },
        read,
      );
      return json({ data: page.deliveries.map(deliveryJson), next_cursor: page.nextId || null });
    },
  }),
  route({
    name: 'listOrderDeliveries',
    method: 'GET',
    path: '/orders/:order_id/deliveries',
    scope: 'webhooks:manage',
    schemas: { path: orderPath },
    lane: 'rows',
    response: orderDeliveries,
    summary: 'List the deliveries of an order',
    description:
      'The deliveries of the last 30 days to all endpoints, oldest first, also to those that were deleted since (the last 100), and for each endpoint how many of the events it has received.',
    handle: async ({ organizationId, path, read }) => {
      const orderId = path.order_id;
      await orders.getSequence({ organizationId, id: orderId }, read);
      const found = await webhooks.listDeliveriesOfOrder({ organizationId, orderId }, read);
      return json(orderDeliveriesJson(found));
    },
  }),
  route({
    ...one,
    name: 'getDelivery',
    method: 'GET',
    response: delivery,
    summary: 'Get a delivery',
    handle: async (request) => {
      const found = await webhooks.getEndpointDelivery(target(request), request.read);
      return json(deliveryJson(found.delivery!));
    },
  }),
  route({
    ...one,
    name: 'replayDelivery',
    method: 'POST',
    path: `${one.path}/replay`,
    success: 201,
    response: delivery,
    rejections: ['ILLEGAL_TRANSITION'],
    summary: 'Replay a delivery',
    description:
      'Sends the same body as a new delivery with the same `sequence`; its `replay_of` is this delivery. If the endpoint is not ENABLED, the delivery waits until it is. A disabled endpoint gets 409.',
    handle: async (request) => {
      const made = await webhooks.replayEndpointDelivery(target(request), request.call);
      return json(deliveryJson(made.delivery!));
    },
  }),
  route({
    name: 'recoverWebhook',
    method: 'POST',
    path: '/webhooks/:endpoint_id/recover',
    scope: 'webhooks:manage',
    schemas: { path: endpointPath, body: recover },
    response: recovery,
    rejections: ['ILLEGAL_TRANSITION'],
    summary: 'Recover missed events',
    description:
      'Queues a new delivery for each event of the time span that matches the filter of the endpoint and is neither delivered nor pending: exhausted deliveries, and events from times when the endpoint was BROKEN, disabled or not verified. A repeated request queues nothing twice. `include_pending` also attempts pending deliveries now, for example after an outage of your receiver, and uses up an attempt of each. Continue with `next_since` until it is null.',
    handle: async ({ organizationId, path, body, call }) => {
      const recovered = await webhooks.recoverEndpoint(
        {
          organizationId,
          endpointId: path.endpoint_id,
          since: toMillis(body.since),
          until: body.until ? toMillis(body.until) : '',
          includePending: body.include_pending,
          orderId: body.order_id ?? '',
        },
        call,
      );
      const { queued, retried, until, nextSince } = recovered;
      return json({ queued, retried, until, next_since: nextSince || null });
    },
  }),
];

const collection = {
  path: '/webhooks/:endpoint_id/deliveries',
  scope: 'webhooks:manage',
} as const;
const one = {
  path: '/webhooks/:endpoint_id/deliveries/:delivery_id',
  scope: 'webhooks:manage',
  schemas: { path: deliveryPath },
} as const;

const target = ({
  organizationId,
  path,
}: {
  readonly organizationId: string;
  readonly path: Output<typeof deliveryPath>;
}) => ({ organizationId, endpointId: path.endpoint_id, id: path.delivery_id });
