import type { ListOrdersResponse } from '@pto/proto/orders/v1/orders';
import type { Backends } from '../backends.ts';
import { created, jsonBytes } from '../http/respond.ts';
import {
  createOrderRequest,
  order,
  orderCancel,
  orderCreate,
  orderList,
  orderPath,
  orderQuery,
} from '../resources/orders.ts';
import { sandboxHeaders } from '../resources/sandbox.ts';
import { route } from './route.ts';
import { startSandboxRun } from './sandbox-runs.ts';

/** The operations on orders (contract 4.2 to 4.5), and submit (decision 8). */
export const orderRoutes = (
  { orders, courier }: Pick<Backends, 'orders' | 'courier'>,
  isSandbox: boolean,
) => [
  route({
    name: 'createOrder',
    method: 'POST',
    path: '/orders',
    scope: 'orders:write',
    idempotent: true,
    schemas: { body: orderCreate, ...(isSandbox && { header: sandboxHeaders }) },
    success: 201,
    ...(isSandbox && { responseHeaders: ['X-Sandbox-Courier'] as const }),
    response: order,
    rejections: [
      'LOCATION_NOT_FOUND',
      'ADDRESS_NOT_RESOLVED',
      'GEOCODER_UNAVAILABLE',
      'DUPLICATE_EXTERNAL_ID',
    ],
    summary: 'Create an order',
    description:
      'Send an `Idempotency-Key` to retry safely: for 24 hours a repeated request with the same key and body creates no second order and gets the stored response with `Idempotency-Replayed: true`. `external_id` prevents duplicates permanently.',
    handle: async (request) => {
      const { organizationId, body, idempotency, call } = request;
      const wanted = createOrderRequest(organizationId, body, idempotency);
      const response = await orders.createOrder(wanted, call);
      return created(response, await startSandboxRun(courier, request, response.body));
    },
  }),
  route({
    name: 'listOrders',
    method: 'GET',
    path: '/orders',
    scope: 'orders:read',
    schemas: { query: orderQuery },
    // a page of one order is as light as that order; a poll by updated_since is not
    lane: (query) =>
      !query.has('updated_since') &&
      !query.has('search') &&
      (query.has('external_id') || query.get('limit') === '1')
        ? 'light'
        : 'list',
    response: orderList,
    summary: 'List orders',
    description:
      'Newest first, by (`created_at`, `id`). Pass `next_cursor` as `cursor`, with the same filters, until it is null. Orders created meanwhile do not shift the pages. A page ends early, with a `next_cursor`, before its body exceeds 1 MiB; it has at least one order. To poll for changes, list by `updated_since`, read all pages, and use the `as_of` of the first page as the next `updated_since`.',
    handle: async ({ organizationId, query, read }) => {
      const page = await orders.listOrders(
        {
          organizationId,
          limit: query.limit,
          cursor: query.cursor,
          status: query.status,
          externalId: query.external_id,
          search: query.search,
          updatedSince: query.updated_since,
        },
        read,
      );
      return listed(page);
    },
  }),
  route({
    name: 'getOrder',
    method: 'GET',
    path: '/orders/:order_id',
    scope: 'orders:read',
    schemas: { path: orderPath },
    response: order,
    summary: 'Get an order',
    handle: async ({ organizationId, path, call }) => {
      const wanted = { organizationId, id: path.order_id };
      // no signal: calls that can be cancelled cannot share a gRPC message with other reads
      return jsonBytes((await orders.getOrder(wanted, call)).body);
    },
  }),
  route({
    name: 'cancelOrder',
    method: 'POST',
    path: '/orders/:order_id/cancel',
    scope: 'orders:write',
    schemas: { path: orderPath, body: orderCancel },
    response: order,
    rejections: ['CANCEL_NOT_ALLOWED'],
    summary: 'Cancel an order',
    description:
      'Possible until custody begins (`PICKUP_STARTED`). Repeating a cancellation with the same reason returns the unchanged order.',
    handle: async ({ organizationId, path, body, call }) => {
      const command = { organizationId, id: path.order_id, reason: body.reason };
      return jsonBytes((await orders.cancelOrder(command, call)).body);
    },
  }),
  route({
    name: 'submitOrder',
    method: 'POST',
    path: '/orders/:order_id/submit',
    scope: 'orders:write',
    schemas: { path: orderPath },
    response: order,
    rejections: ['ILLEGAL_TRANSITION'],
    summary: 'Submit a draft order',
    description: 'For an order that was created with `auto_dispatch: false`.',
    handle: async ({ organizationId, path, call }) => {
      const command = { organizationId, id: path.order_id };
      return jsonBytes((await orders.submitOrder(command, call)).body);
    },
  }),
];

const comma = Buffer.from(',');

/** An order of more bytes is not copied into one buffer with the other orders of its page. */
const largeBytes = 64 * 1024;

const listed = ({ bodies, nextCursor, asOf }: ListOrdersResponse) => {
  const end = JSON.stringify({
    next_cursor: nextCursor ?? null,
    // present on the first page of a list by updated_since; the next poll uses this time, so that
    // it misses no change
    as_of: asOf ?? null,
  });
  const pieces = [
    Buffer.from('{"data":['),
    ...bodies.flatMap((body, n) => (n > 0 ? [comma, body] : [body])),
    Buffer.from(`],${end.slice(1)}`),
  ];
  const isLarge = bodies.some(({ byteLength }) => byteLength > largeBytes);
  return jsonBytes(...(isLarge ? pieces : [Buffer.concat(pieces)]));
};
