import {
  bulkStatement,
  type Expression,
  fragment,
  insertFromArrays,
  type Placeholders,
  type Transaction,
  uuidv7,
} from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { changeTime } from '../change-time.ts';
import { emitEvents } from '../changes/emit-events.ts';
import { decide, noMetadata } from '../domain/decide.ts';
import type { OrderState } from '../domain/order.ts';
import { firstKeptId, storeResponses } from '../idempotency.ts';
import { itemsText, toBody, toStored } from '../reading/stored-order.ts';
import { tables } from '../schema/tables.ts';
import type { Creation, LocatedCreation } from './locate-stops.ts';

/**
 * Inserts orders, their events and the stored responses, each with one statement for all orders.
 * The transaction must hold the locks of the idempotency keys, and no two creations may have the
 * same key.
 * @returns the JSON of each inserted order, by its creation. A creation writes nothing and is
 *   absent if a response is stored under its key or its external_id is taken.
 */
export const insertOrders = async (
  tx: Transaction,
  sign: Sign,
  creations: readonly LocatedCreation[],
): Promise<ReadonlyMap<Creation, Buffer>> => {
  if (creations.length === 0) return new Map();
  const given = creations.map((located) => ({ ...located, ...newOrder(located) }));
  const keepMs = creations.find(({ creation }) => creation.scope)?.creation.scope?.keepMs ?? 0;
  const rows = given.map(({ creation: { scope }, columns }) => ({
    ...columns,
    route: scope?.idempotency.route ?? null,
    key: scope?.idempotency.key ?? null,
  }));
  const inserted = new Map((await insert(tx, rows, { keepMs })).map((row) => [row.id, row]));
  const made = given.flatMap(({ creation, pickup, dropoff, columns, announcement }) => {
    const times = inserted.get(columns.id);
    if (!times) return [];
    const row = { ...unsetColumns, ...columns, ...times };
    const stored = toStored(row, pickup, dropoff);
    return [{ creation, order: stored.order, announcement, body: toBody(stored) }];
  });
  const emitted = made.flatMap(({ creation: { cause }, order, announcement }) =>
    announcement ? [{ order, announcement, cause }] : [],
  );
  await emitEvents(tx, sign, emitted);
  await storeResponses(
    tx,
    made.flatMap(({ creation: { scope }, body }) => (scope ? [{ scope, body }] : [])),
  );
  return new Map(made.map(({ creation, body }) => [creation, body]));
};

/**
 * Returns the columns of a new order that are known before its insertion, and its event. The event
 * is null for a DRAFT.
 */
const newOrder = ({ creation: { request }, pickup, dropoff }: LocatedCreation) => {
  const submitted = request.autoDispatch
    ? decide(draft(request), { name: 'submit' }, noMetadata, Date.now())
    : null;
  const announcement = submitted?.announcement ?? null;
  const place = request.dropoff?.place;
  return {
    announcement,
    columns: {
      id: uuidv7(),
      organization_id: request.organizationId,
      external_id: request.externalId ?? null,
      status: submitted?.change?.status ?? 'DRAFT',
      sla: request.sla,
      source: 'partner_api',
      pickup_location_id: pickup.location.id,
      dropoff_location_id: dropoff.location.id,
      dropoff_address_text: place?.case === 'addressText' ? place.value : null,
      pickup_window_start: request.pickupWindowStart,
      pickup_window_end: request.pickupWindowEnd ?? null,
      notes: request.notes ?? null,
      pickup_detail: request.pickupDetail ?? null,
      dropoff_detail: request.dropoffDetail ?? null,
      sequence: announcement ? 1 : 0,
      last_event_at: announcement?.tsUtc ?? null,
      items: itemsText(request.goodsTypes.map((goods_type) => ({ goods_type, seal_id: null }))),
      item_count: request.goodsTypes.length,
      required_evidence: request.requiredEvidenceJson ?? null,
      temperature_min: request.temperatureMin?.toFixed(2) ?? null,
      temperature_max: request.temperatureMax?.toFixed(2) ?? null,
    },
  };
};

/** The columns that commands and reported violations set. */
const unsetColumns = {
  price_total: null,
  cancel_reason: null,
  transport_organization: null,
  carrier_id: null,
  driver: null,
  driver_id: null,
  custody_fault: null,
  has_incident: false,
  open_incidents: null,
  handover_codes: null,
  expected_times: null,
};

const draft = (request: CreateOrderRequest): OrderState => ({
  status: 'DRAFT',
  sla: request.sla,
  itemCount: request.goodsTypes.length,
  transportOrganization: null,
  driver: null,
  cancelReason: null,
  sequence: 0,
  lastEventAt: null,
  blocking: null,
  sealIds: [],
  requiredEvidence: {},
  recordedEvidence: {},
  openIncidents: [],
  codes: {},
  expected: null,
});

type NewColumns = ReturnType<typeof newOrder>['columns'];

const columnTypes = {
  id: 'uuid',
  organization_id: 'uuid',
  external_id: 'text',
  status: 'text',
  sla: 'text',
  source: 'text',
  pickup_location_id: 'uuid',
  dropoff_location_id: 'uuid',
  dropoff_address_text: 'text',
  pickup_window_start: 'text',
  pickup_window_end: 'text',
  notes: 'text',
  pickup_detail: 'text',
  dropoff_detail: 'text',
  sequence: 'int',
  last_event_at: 'text',
  items: 'text',
  item_count: 'int',
  required_evidence: 'text',
  temperature_min: 'text',
  temperature_max: 'text',
} as const satisfies { readonly [Column in keyof NewColumns]: 'uuid' | 'text' | 'int' };

type References = { readonly [Column in keyof NewColumns]: Expression<NewColumns[Column]> };

/** Inserts orders. `route` and `key` are those of the idempotency key, null without one. */
const insert = bulkStatement(
  { ...columnTypes, route: 'text', key: 'text' },
  (rows, given: Placeholders<{ keepMs: number }>) =>
    insertFromArrays(
      tables,
      'orders',
      tables
        .selectFrom(rows('g'))
        .crossJoinLateral(({ ref }) => changeTime(ref('g.organization_id')))
        .where(({ eb, exists, not, or, selectFrom }) => {
          const stored = selectFrom('idempotency as i')
            .whereRef('i.organization_id', '=', 'g.organization_id')
            .whereRef('i.route', '=', 'g.route')
            .whereRef('i.key', '=', 'g.key')
            .where('i.id', '>', firstKeptId(given.keepMs))
            // each key is looked up in the index, instead of a join that reads the table
            .offset(fragment.lit(0));
          return or([eb('g.key', 'is', null), not(exists(stored))]);
        })
        // sorted, so that two transactions with the same external ids do not deadlock
        .orderBy('g.organization_id')
        .orderBy('g.external_id'),
      ({ cast, ref }) => {
        const names = Object.keys(columnTypes) as (keyof NewColumns)[];
        const copied = Object.fromEntries<Expression<unknown>>(
          names.map((name) => [name, ref(`g.${name}`)]),
        );
        return {
          ...(copied as unknown as References),
          pickup_window_start: cast('g.pickup_window_start', 'timestamptz'),
          pickup_window_end: cast('g.pickup_window_end', 'timestamptz'),
          items: cast('g.items', 'json'),
          temperature_min: cast('g.temperature_min', 'numeric'),
          temperature_max: cast('g.temperature_max', 'numeric'),
          created_at: ref('change.at'),
          updated_at: ref('change.at'),
        };
      },
    )
      .onConflict((conflict) => conflict.columns(['organization_id', 'external_id']).doNothing())
      .returning(['id', 'pickup_window_start', 'pickup_window_end', 'created_at', 'updated_at']),
);
