import { organizationSlots } from '@pto/concurrency';
import type { Database, FreshReads } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { type ListOrdersRequest, OrderService } from '@pto/proto/orders/v1/orders';
import { implement } from '@pto/rpc';
import { applyCommand } from '../changes/apply-command.ts';
import { type ArtifactDeps, readArtifact } from '../changes/artifacts.ts';
import { createOrder, sharedCreate } from '../creation/create-order.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { FindReplay } from '../idempotency.ts';
import type { FindLocations } from '../locations/locations.ts';
import type { RequireNotHeld } from '../not-held.ts';
import type { CursorKeys } from '../reading/cursor.ts';
import { getSequence, sharedGetOrder } from '../reading/get-order.ts';
import { listLightOrders, listOrders } from '../reading/list-orders.ts';
import { toBody } from '../reading/stored-order.ts';
import { requireUuid } from './command-metadata.ts';
import { recordPartnerCondition } from './partner-condition.ts';

/**
 * Slots per organization for light lists. With the default pool of 10 connections, lists and
 * creations of one organization occupy at most 7, besides batches.
 */
const listSlots = 2;
/**
 * Slots per organization for light creations outside of batches. Requests with one idempotency key
 * wait for each other in these slots.
 */
const creationSlots = 3;

/** Serves the gateway's RPCs for partners' orders. */
export const orderService = (
  deps: ArtifactDeps & {
    db: Database;
    reads: FreshReads;
    findLocations: FindLocations;
    geocoder: Geocoder;
    keepMs: number;
    findReplay: FindReplay;
    requireNotHeld: RequireNotHeld;
    cursorKeys: CursorKeys;
    /** Signs order events for the bus. */
    sign: Sign;
    /**
     * Wakes the relay; called after a commit that may have written an event of the order to the
     * outbox. Without an order all relays are woken: creations share transactions, so events of
     * several relays were written.
     */
    wake: (orderId?: string) => void;
  },
) => {
  const { db, findLocations, wake } = deps;
  const source = { sql: db, findLocations };
  const inListSlot = organizationSlots(listSlots);
  // a list of one order waits for no other list, nor for the changes that a poll waits for
  const inSingleSlot = organizationSlots(1);
  // heavy lists and creations of one organization run one at a time (decision 66)
  const inTurn = organizationSlots(1);
  const creating = {
    ...deps,
    createTogether: sharedCreate(deps),
    inSlot: organizationSlots(creationSlots),
    inTurn,
  };
  const get = sharedGetOrder(source);
  return implement(OrderService, {
    getStatus: async () => {
      const acceptsWrites = await db.ping('writes').then(
        () => true,
        () => false,
      );
      if (!acceptsWrites) await db.ping('reads');
      return { acceptsWrites };
    },
    createOrder: async (request, context) => {
      const response = await createOrder(creating, request, context);
      if (!response.replayed) wake();
      return response;
    },
    getOrder: async ({ id, organizationId }) => ({
      body: toBody(await get({ organizationId, orderId: requireUuid(id, 'id') })),
    }),
    getSequence: ({ id, organizationId }) =>
      getSequence(db, { organizationId, orderId: requireUuid(id, 'id') }),
    listOrders: async (request, { signal }) => {
      const { organizationId } = request;
      const list = () => listOrders(deps, request);
      const { orders, nextCursor, asOf } = isSingle(request)
        ? await inSingleSlot(organizationId, signal, list)
        : ((await inListSlot(organizationId, signal, () => listLightOrders(deps, request))) ??
          (await inTurn(organizationId, signal, list)));
      return {
        bodies: orders.map(({ body }) => body),
        ...(nextCursor !== undefined && { nextCursor }),
        ...(asOf !== undefined && { asOf }),
      };
    },
    cancelOrder: async ({ id, organizationId, reason }) => {
      const target = { orderId: id, organizationId };
      const canceled = await applyCommand(deps, target, { name: 'cancel', reason });
      wake(id);
      return { body: toBody(canceled) };
    },
    submitOrder: async ({ id, organizationId }) => {
      const target = { orderId: id, organizationId };
      const submitted = await applyCommand(deps, target, { name: 'submit' });
      wake(id);
      return { body: toBody(submitted) };
    },
    recordCondition: async (request, { signal, deadline }) => {
      const { organizationId } = request;
      const response = await inTurn(organizationId, signal, () =>
        recordPartnerCondition(deps, request, deadline),
      );
      if (!response.replayed) wake(request.orderId);
      return response;
    },
    getArtifact: ({ organizationId, orderId, sha256 }) =>
      readArtifact(deps, { organizationId, orderId: requireUuid(orderId, 'order_id') }, sha256),
  });
};

/** Whether a list has one order at most, and waits for no changes as a poll by updated_since does. */
const isSingle = ({ limit, externalId, updatedSince }: ListOrdersRequest): boolean =>
  updatedSince === undefined && (externalId !== undefined || limit === 1);
