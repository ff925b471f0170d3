import { uuidv7 } from '@pto/database';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { decide } from '../../domain/decide.ts';
import type { Announcement } from '../../domain/order.ts';
import type { IdempotencyScope } from '../../idempotency/scope.ts';
import type { LocationRow } from '../../locations/location-row.ts';
import type { Cause } from '../announce.ts';
import { noMetadata } from '../apply-command.ts';
import { itemsText } from '../items.ts';
import { textsOfRequest, textTypes } from '../request-fields.ts';
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

/**
 * Returns the columns of a new order that are known before its insertion, and its event. The event
 * is null for a DRAFT.
 */
export const newOrder = ({ request, pickup, dropoff }: LocatedCreation) => {
  const submitted = request.autoDispatch
    ? decide(draft(request), { name: 'submit' }, noMetadata, Date.now())
    : null;
  const announcement: Announcement | null = submitted?.announcement ?? null;
  const place = request.dropoff?.place;
  return {
    announcement,
    columns: {
      ...textsOfRequest(request),
      id: uuidv7(),
      organization_id: request.organizationId,
      status: submitted?.change?.status ?? 'DRAFT',
      sla: request.sla,
      source: 'partner_api',
      pickup_location_id: pickup.id,
      dropoff_location_id: dropoff.id,
      dropoff_address_text: place?.case === 'addressText' ? place.value : null,
      pickup_window_start: request.pickupWindowStart,
      pickup_window_end: request.pickupWindowEnd ?? null,
      sequence: announcement ? 1 : 0,
      last_event_at: announcement?.tsUtc ?? null,
      items: itemsText(request.goodsTypes),
      item_count: request.goodsTypes.length,
    },
  };
};

export type NewColumns = ReturnType<typeof newOrder>['columns'];

/** The types of the arrays in which the columns of new orders are inserted. */
export const newColumnTypes = {
  ...textTypes,
  id: 'uuid',
  organization_id: 'uuid',
  status: 'text',
  sla: 'text',
  source: 'text',
  pickup_location_id: 'uuid',
  dropoff_location_id: 'uuid',
  dropoff_address_text: 'text',
  pickup_window_start: 'text',
  pickup_window_end: 'text',
  sequence: 'int',
  last_event_at: 'text',
  items: 'text',
  item_count: 'int',
} as const satisfies { readonly [Column in keyof NewColumns]: 'uuid' | 'text' | 'int' };

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
