import { execute, fragment, type Sql, type Transaction } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { changeTime } from '../change-time.ts';
import { decide } from '../domain/decide.ts';
import { WrongCode } from '../domain/handover-code.ts';
import type {
  Announcement,
  BlockingEvent,
  Command,
  CommandMetadata,
  HandoverCodes,
  OrderChange,
  OrderState,
  OrderStatus,
} from '../domain/order.ts';
import type { FindLocations } from '../locations/locations.ts';
import { getOrder, type OrderKey } from '../reading/get-order.ts';
import { orderNotFound } from '../reading/order-not-found.ts';
import { itemsText, readItems, type StoredOrder } from '../reading/stored-order.ts';
import { type Rows, tables } from '../schema/tables.ts';
import { rememberDriver, requireCurrentDriver, requireOwn } from './driver-orders.ts';
import { commitPersonal, emitEvents } from './emit-events.ts';

export interface CommandDeps {
  readonly sign: Sign;
  readonly findLocations: FindLocations;
}

/**
 * Applies one command to one order within a transaction: locks the order's row, calls `decide`,
 * stores the change, and writes the event to the outbox. Of two concurrent commands on an order,
 * the second one sees the result of the first.
 * @returns the order after the command.
 * @throws Failure NOT_FOUND, or a failure that `decide` throws; for a WrongCode the caller commits, so
 *   that its count is stored
 */
export const applyWithin = async (
  tx: Transaction,
  { sign, findLocations }: CommandDeps,
  target: OrderKey,
  command: Command,
  metadata: CommandMetadata,
): Promise<StoredOrder> => {
  const row = await lockRow(tx, target);
  requireOwn(row.carrier_id, metadata.carrierId);
  if (command.name !== 'keep') requireCurrentDriver(row.driver_id, metadata.device);
  if (command.name === 'expect') requireOwn(row.driver_id, command.driverId);
  const { change, announcement } = await countWrong(tx, row, () =>
    decideNow(toState(row), command, metadata),
  );
  if (change) await save(tx, row, change, announcement);
  if (change?.driverId) await rememberDriver(tx, target, change.driverId);
  const stored = await getOrder({ sql: tx, findLocations }, target);
  const { operator } = metadata;
  if (announcement) await emitEvents(tx, sign, [{ order: stored.order, announcement, operator }]);
  return stored;
};

const lockRow = async (tx: Transaction, target: OrderKey) => {
  const [row] = await execute(tx, selectState(target).forUpdate());
  if (!row) throw orderNotFound();
  return row;
};

type LockedRow = Awaited<ReturnType<typeof lockRow>>;

const countWrong = async <Decided>(tx: Transaction, row: LockedRow, run: () => Decided) => {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof WrongCode) await saveCodes(tx, row, thrown.codes);
    throw thrown;
  }
};

/**
 * Locks an order's row, and stores a change of its codes. The caller has called `beginChange`.
 * @param decide returns null for no change.
 * @throws Failure NOT_FOUND, or what `decide` throws
 */
export const changeCodesWithin = async (
  tx: Transaction,
  target: OrderKey,
  decide: (state: OrderState, driverId: string | null) => HandoverCodes | null,
): Promise<void> => {
  const row = await lockRow(tx, target);
  const codes = decide(toState(row), row.driver_id);
  if (codes) await saveCodes(tx, row, codes);
};

type RowKey = Pick<Rows['orders'], 'id' | 'organization_id'>;

const updateOf = (row: RowKey) =>
  tables
    .updateTable('orders')
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id);

/** Updates the codes alone. `updated_at` stays: no partner sees a wrong code or another round. */
const saveCodes = (tx: Transaction, row: RowKey, codes: HandoverCodes) =>
  execute(tx, updateOf(row).set({ handover_codes: JSON.stringify(codes) }));

/** Reads what the state machine reads of an order. @throws Failure NOT_FOUND */
export const readState = async (
  sql: Sql,
  target: OrderKey,
  carrierId: string | null = null,
): Promise<OrderState> => {
  const [row] = await execute(sql, selectState(target));
  if (!row) throw orderNotFound();
  requireOwn(row.carrier_id, carrierId);
  return toState(row);
};

/**
 * Decides a command on the order as it is now, without a change or a lock: work that precedes the
 * command's transaction is not begun for a command that is rejected.
 * @throws Failure NOT_FOUND, or a failure that `decide` throws
 */
export const checkCommand = async (
  sql: Sql,
  target: OrderKey,
  command: Command,
  metadata: CommandMetadata,
): Promise<OrderState> => {
  const state = await readState(sql, target, metadata.carrierId);
  const { announcement } = decideNow(state, command, metadata);
  if (announcement) commitPersonal(announcement);
  return state;
};

const decideNow = (state: OrderState, command: Command, metadata: CommandMetadata) =>
  decide(state, command, metadata, Date.now());

/** The columns that the state machine reads. */
const stateColumns = [
  ...(['status', 'sla', 'item_count', 'sequence', 'last_event_at'] as const),
  ...(['transport_organization', 'carrier_id', 'driver', 'driver_id', 'cancel_reason'] as const),
  ...(['blocking_type', 'blocking_at'] as const),
  ...([
    'seal_ids',
    'required_evidence',
    'recorded_evidence',
    'open_incidents',
    'handover_codes',
    'expected_times',
  ] as const),
] as const;

const selectState = ({ organizationId, orderId }: OrderKey) =>
  tables
    .selectFrom('orders')
    .select(['id', 'organization_id', ...stateColumns])
    .where('organization_id', '=', organizationId)
    .where('id', '=', orderId);

/** Returns the part of an order's row that the state machine reads. */
const toState = (row: Pick<Rows['orders'], (typeof stateColumns)[number]>): OrderState => ({
  status: row.status as OrderStatus,
  itemCount: row.item_count,
  transportOrganization: row.transport_organization,
  driver: row.driver,
  cancelReason: row.cancel_reason,
  sla: row.sla,
  sequence: row.sequence,
  lastEventAt: row.last_event_at,
  blocking:
    row.blocking_type && row.blocking_at
      ? { type: row.blocking_type as BlockingEvent['type'], ts_utc: row.blocking_at }
      : null,
  sealIds: JSON.parse(row.seal_ids ?? '[]'),
  requiredEvidence: JSON.parse(row.required_evidence ?? '{}'),
  recordedEvidence: JSON.parse(row.recorded_evidence ?? '{}'),
  openIncidents: JSON.parse(row.open_incidents ?? '[]'),
  codes: JSON.parse(row.handover_codes ?? '{}'),
  expected: JSON.parse(row.expected_times ?? 'null'),
});

/** Returns the changed columns. A change without a column does not compile. */
const columnsOf = ({
  transportOrganization,
  carrierId,
  driverId,
  heldBy,
  cancelReason,
  priceTotal,
  blocking,
  deliveredAt,
  sealIds,
  requiredEvidence,
  recordedEvidence,
  openIncidents,
  codes,
  expected,
  expectedDueAt,
  status,
  driver,
  notes,
  ...others
}: OrderChange) => ({
  ...(others satisfies Record<string, never>),
  ...{ status, driver, notes },
  transport_organization: transportOrganization,
  carrier_id: carrierId,
  driver_id: driverId,
  held_by: heldBy,
  cancel_reason: cancelReason,
  price_total: priceTotal,
  blocking_type: blocking?.type,
  blocking_at: blocking?.ts_utc,
  delivered_at: deliveredAt,
  seal_ids: sealIds && JSON.stringify(sealIds),
  required_evidence: requiredEvidence && JSON.stringify(requiredEvidence),
  recorded_evidence: recordedEvidence && JSON.stringify(recordedEvidence),
  open_incidents:
    openIncidents && (openIncidents.length > 0 ? JSON.stringify(openIncidents) : null),
  handover_codes: codes && JSON.stringify(codes),
  expected_times: expected && JSON.stringify(expected),
  expected_due_at: expectedDueAt,
});

/**
 * Updates the order's row.
 * @param event of the change; null: it has none.
 */
const save = async (
  tx: Transaction,
  row: RowKey & Pick<Rows['orders'], 'sequence'>,
  change: OrderChange,
  event: Announcement | null,
): Promise<void> => {
  const ofEvent = event && {
    sequence: row.sequence + 1,
    last_event_at: event.tsUtc,
    ...(event.type === 'order.incident_reported' && { has_incident: true }),
  };
  const update = updateOf(row)
    .from(changeTime(fragment.val(row.organization_id)))
    .set({ ...ofEvent, ...columnsOf(change) })
    .set(({ fn, ref }) => ({
      // the database's clock may have been set back: `updated_at` must not become earlier
      updated_at: fn<string>('greatest', [ref('orders.updated_at'), ref('change.at')]),
    }));
  await execute(tx, update);
  if (change.sealIds) await sealItems(tx, row, change.sealIds);
};

/** Assigns one seal to each item, in order. The caller must have locked the order's row. */
const sealItems = async (tx: Transaction, row: RowKey, sealIds: readonly string[]) => {
  const select = tables
    .selectFrom('orders')
    .select(({ cast }) => cast<string>('items', 'text').as('items'))
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id);
  const [stored] = await execute(tx, select);
  const sealed = readItems(stored!.items).map((item, n) => ({
    ...item,
    seal_id: sealIds[n] ?? item.seal_id,
  }));
  const items = fragment<readonly unknown[]>`${itemsText(sealed)}::json`;
  await execute(tx, updateOf(row).set({ items }));
};
