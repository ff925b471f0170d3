import { uuidv7 } from '@pto/database';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { decide } from '../domain/decide.ts';
import type { Announcement } from '../domain/order.ts';
import type { IdempotencyScope } from '../idempotency/idempotency.ts';
import type { LocationRow } from '../locations/location-row.ts';
import type { Cause } from './announce.ts';
import { noMetadata } from './apply-command.ts';
import { itemsText } from './items.ts';
import type { ResolvedStop } from './stops.ts';

/** A request for an order whose addresses are resolved. */
export interface Creation {
  readonly request: CreateOrderRequest;
  readonly stops: readonly [pickup: ResolvedStop, dropoff: ResolvedStop];
  readonly scope: IdempotencyScope | undefined;
  readonly cause: Cause;
}

/** A creation whose stops are existing locations. */
export interface LocatedCreation extends Creation {
  readonly pickup: LocationRow;
  readonly dropoff: LocationRow;
}

/** Returns the columns of a new order that are known before its insertion, and its event. */
export const newOrder = ({ request, pickup, dropoff }: LocatedCreation) => {
  const submitted = request.autoDispatch
    ? decide(draft(request), { name: 'submit' }, noMetadata, Date.now())
    : null;
  const announcement: Announcement | null = submitted?.announcement ?? null;
  const place = request.dropoff?.place;
  return {
    announcement,
    pickup,
    dropoff,
    id: uuidv7(),
    organization_id: request.organizationId,
    external_id: request.externalId ?? null,
    status: submitted?.change?.status ?? 'DRAFT',
    sla: request.sla,
    source: 'partner_api',
    dropoff_address_text: place?.case === 'addressText' ? place.value : null,
    notes: request.notes ?? null,
    pickup_detail: request.pickupDetail ?? null,
    dropoff_detail: request.dropoffDetail ?? null,
    sequence: announcement ? 1 : 0,
    items: itemsText(request.goodsTypes),
    price_total: null,
    cancel_reason: null,
    transport_organization: null,
    driver: null,
    custody_fault: null,
  };
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
