import type { OrganizationSlots } from '@pto/concurrency';
import type { Database, FreshReads } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { type ListOrdersRequest, OrderService } from '@pto/proto/orders/v1/orders';
import { implement } from '@pto/rpc';
import { type ArtifactDeps, readArtifact } from '../changes/artifacts.ts';
import { shownCode } from '../changes/handover-code.ts';
import { applyCommand } from '../changes/run-command.ts';
import { createOrder, sharedCreate } from '../creation/create-order.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { FindReplay } from '../idempotency.ts';
import type { FindLocations } from '../locations/locations.ts';
import type { CursorKeys } from '../reading/cursor.ts';
import { getSequence, sharedGetOrder } from '../reading/get-order.ts';
import { listLightOrders, listOrders } from '../reading/list-orders.ts';
import { present, toBody } from '../reading/stored-order.ts';
import { heavy, light } from '../slots.ts';
import { requireUuid } from './command-metadata.ts';
import { recordPartnerCondition } from './partner-condition.ts';
import { readSide } from './read-evidence.ts';

/** Serves the gateway's RPCs for partners' orders. */
export const orderService = (
  deps: ArtifactDeps & {
    db: Database;
    reads: FreshReads;
    findLocations: FindLocations;
    geocoder: Geocoder;
    keepMs: number;
    findReplay: FindReplay;
    requireNotHeld: (organizationId: string) => Promise<void>;
    cursorKeys: CursorKeys;
    /** Runs work of an organization in its slots (slots.ts). */
    inSlots: OrganizationSlots;
    /** Signs order events for the bus. */
    sign: Sign;
    /** Wakes the relay after a commit that may have written an event. */
    wake: () => void;
  },
) => {
  const { db, findLocations, inSlots, wake } = deps;
  const source = { sql: db, findLocations };
  const creating = { ...deps, createTogether: sharedCreate(deps) };
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
    getHandoverCode: async ({ id, organizationId, side }) => {
      const order = { organizationId, orderId: requireUuid(id, 'id') };
      return present({ code: await shownCode(db, deps.cursorKeys, order, readSide(side)) });
    },
    listOrders: async (request, { signal }) => {
      const { organizationId } = request;
      const list = () => listOrders(deps, request);
      // a list of one order waits for no other list, nor for the changes that a poll waits for
      const { orders, nextCursor, asOf } = isSingle(request)
        ? await list()
        : ((await inSlots(organizationId, signal, () => listLightOrders(deps, request), light)) ??
          (await inSlots(organizationId, signal, list, heavy)));
      return {
        bodies: orders.map(({ body }) => body),
        ...(nextCursor !== undefined && { nextCursor }),
        ...(asOf !== undefined && { asOf }),
      };
    },
    cancelOrder: async ({ id, organizationId, reason }) => {
      const target = { orderId: id, organizationId };
      const canceled = await applyCommand(deps, target, { name: 'cancel', reason });
      wake();
      return { body: toBody(canceled) };
    },
    submitOrder: async ({ id, organizationId }) => {
      const target = { orderId: id, organizationId };
      const submitted = await applyCommand(deps, target, { name: 'submit' });
      wake();
      return { body: toBody(submitted) };
    },
    recordCondition: async (request, { signal, deadline }) => {
      const { organizationId } = request;
      const record = () => recordPartnerCondition(deps, request, deadline);
      const response = await inSlots(organizationId, signal, record, heavy);
      if (!response.replayed) wake();
      return response;
    },
    getArtifact: ({ organizationId, orderId, sha256 }) =>
      readArtifact(deps, { organizationId, orderId: requireUuid(orderId, 'order_id') }, sha256),
  });
};

/** Whether a list has one order at most, and waits for no changes as a poll by updated_since does. */
const isSingle = ({ limit, externalId, updatedSince, search }: ListOrdersRequest): boolean =>
  updatedSince === undefined && search === undefined && (externalId !== undefined || limit === 1);
