import { type Database, isoMillis, type Transaction, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { decide } from '../domain/decide.ts';
import type { Geocoder } from '../geocoding/index.ts';
import { claimKey, type IdempotencyScope, storeResponse } from '../idempotency/idempotency.ts';
import { announce } from './announce.ts';
import { noMetadata } from './apply-command.ts';
import { changeTime } from './change-time.ts';
import { itemsText } from './items.ts';
import { type OrderRow, toBody, toStored } from './order-row.ts';
import type { OrganizationSlots } from './organization-slots.ts';
import { locateStops, type ResolvedStop, resolveStop } from './stops.ts';

/** The response for the partner, and whether it is a replay of an earlier response. */
export interface CreateOrderResult {
  readonly body: Uint8Array;
  readonly replayed: boolean;
}

interface CreateOrderDeps {
  readonly db: Database;
  readonly geocoder: Geocoder;
  readonly keepMs: number;
  readonly sign: Sign;
  /** Returns the stored response to a request, or null. */
  findReplay(scope: IdempotencyScope): Promise<Buffer | null>;
  /** Runs the work in one of the organization's slots for creations. A replay needs no slot. */
  readonly inSlot: OrganizationSlots;
}

/** Milliseconds reserved for the response after the wait for a concurrent request. */
const reserveMs = 500;

/**
 * Creates an order (contract 4.2). A replay is returned before any other check. Addresses are
 * resolved before the transaction. One transaction writes order, items, locations, event and stored
 * response.
 * @throws Failure DUPLICATE_EXTERNAL_ID, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS,
 * RATE_LIMITED, or a failure of a stop
 */
export const createOrder = async (
  { db, geocoder, keepMs, sign, findReplay, inSlot }: CreateOrderDeps,
  request: CreateOrderRequest,
  context: { signal: AbortSignal; deadline: number },
): Promise<CreateOrderResult> => {
  const { organizationId, idempotency } = request;
  const scope = idempotency && { organizationId, idempotency, keepMs };
  const replay = async (): Promise<CreateOrderResult | null> => {
    const body = scope && (await findReplay(scope));
    return body ? { body, replayed: true } : null;
  };
  const early = await replay();
  if (early) return early;
  return inSlot(organizationId, context.signal, async () => {
    const stops = await Promise.all([
      resolveStop(geocoder, 'pickup', request.pickup, context.signal),
      resolveStop(geocoder, 'dropoff', request.dropoff, context.signal),
    ]);
    const body = await db.transaction((tx) =>
      insert(tx, sign, request, stops, scope, context.deadline - Date.now() - reserveMs),
    );
    if (body) return { body, replayed: false };
    const late = await replay();
    if (late) return late;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  });
};

/** Inserts the order. @returns its JSON, or null if a concurrent request has committed first. */
const insert = async (
  tx: Transaction,
  sign: Sign,
  request: CreateOrderRequest,
  stops: readonly ResolvedStop[],
  scope: IdempotencyScope | undefined,
  waitMs: number,
): Promise<Uint8Array | null> => {
  if (scope && !(await claimKey(tx, scope, waitMs))) return null;
  const { organizationId } = request;
  const [pickup, dropoff] = await locateStops(tx, organizationId, stops);
  const id = uuidv7();
  const submitted = request.autoDispatch
    ? decide(draft(request), { name: 'submit' }, noMetadata, Date.now())
    : null;
  const announcement = submitted?.announcement ?? null;
  const status = submitted?.change?.status ?? 'DRAFT';
  const sequence = announcement ? 1 : 0;
  const place = request.dropoff?.place;
  const given = {
    id,
    organization_id: organizationId,
    external_id: request.externalId ?? null,
    status,
    sla: request.sla,
    source: 'partner_api',
    dropoff_address_text: place?.case === 'addressText' ? place.value : null,
    notes: request.notes ?? null,
    pickup_detail: request.pickupDetail ?? null,
    dropoff_detail: request.dropoffDetail ?? null,
    sequence,
    items: itemsText(request.goodsTypes),
  };
  const [times] = await tx.query<RowTimes>(
    `with ${changeTime('$2')}
     insert into orders (id, organization_id, external_id, status, sla, source,
       pickup_location_id, dropoff_location_id, dropoff_address_text, pickup_window_start,
       pickup_window_end, notes, pickup_detail, dropoff_detail, sequence, last_event_at,
       items, item_count, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
       $17, $18, (select at from change), (select at from change))
     on conflict (organization_id, external_id) do nothing
     returning pickup_window_start, pickup_window_end, created_at, updated_at`,
    [
      id,
      organizationId,
      given.external_id,
      status,
      given.sla,
      given.source,
      pickup!.id,
      dropoff!.id,
      given.dropoff_address_text,
      request.pickupWindowStart,
      request.pickupWindowEnd ?? null,
      given.notes,
      given.pickup_detail,
      given.dropoff_detail,
      sequence,
      announcement?.tsUtc ?? null,
      given.items,
      request.goodsTypes.length,
    ],
  );
  if (!times) throw await duplicate(tx, request);
  if (announcement) {
    const { externalId = null } = request;
    const updatedAt = isoMillis(times.updated_at);
    await announce(
      tx,
      sign,
      { id, organizationId, externalId, status, updatedAt, sequence },
      announcement,
    );
  }
  const row = { ...notYet, ...given, ...times, pickup: pickup!, dropoff: dropoff! };
  const body = toBody(toStored(row));
  if (scope) await storeResponse(tx, scope, body);
  return body;
};

type RowTimes = Pick<
  OrderRow,
  'pickup_window_start' | 'pickup_window_end' | 'created_at' | 'updated_at'
>;

/** Columns that are null in every new order. */
const notYet = {
  price_total: null,
  cancel_reason: null,
  transport_organization: null,
  driver: null,
  custody_fault: null,
};

const draft = (request: CreateOrderRequest) => ({
  status: 'DRAFT' as const,
  itemCount: request.goodsTypes.length,
  transportOrganization: null,
  driver: null,
  cancelReason: null,
  sla: request.sla,
  sequence: 0,
  lastEventAt: null,
  blocking: null,
});

const duplicate = async (tx: Transaction, request: CreateOrderRequest): Promise<Failure> => {
  const [existing] = await tx.query<{ id: string }>(
    'select id from orders where organization_id = $1 and external_id = $2',
    [request.organizationId, request.externalId],
  );
  return new Failure('DUPLICATE_EXTERNAL_ID', 'This external_id is taken.', {
    details: { field: 'external_id', order_id: existing?.id },
  });
};
