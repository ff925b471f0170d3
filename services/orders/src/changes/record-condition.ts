import { createHash } from 'node:crypto';
import { execute, fragment, isoMillis, type Sql, type Transaction } from '@pto/database';
import { invalid } from '@pto/errors';
import { requireNotHeld } from '@pto/moves';
import type { ConditionPayload } from '@pto/proto/payloads';
import { type ClaimedSummary, compareSummary } from '../conditions/compare-summary.ts';
import { conditionPayload, type Device } from '../conditions/condition-payload.ts';
import { excursionPayload } from '../conditions/excursion-payload.ts';
import { type ReadingsMediaType, requireOrder, requirePast } from '../conditions/reading.ts';
import type { TemperatureUnit } from '../conditions/units.ts';
import type { CommandMetadata } from '../domain/order.ts';
import type { OrderKey } from '../reading/get-order.ts';
import { orderNotFound } from '../reading/order-not-found.ts';
import type { StoredOrder } from '../reading/stored-order.ts';
import { tables } from '../schema/tables.ts';
import { applyWithin, type CommandDeps, checkCommand } from './apply-command.ts';
import {
  type ArtifactDeps,
  artifactReference,
  attachArtifact,
  storeArtifact,
} from './artifacts.ts';
import { requireSigned } from './device-record.ts';
import { applyOrKeep, isKept, type Kept } from './run-command.ts';

/** Readings as they were received, and what the sender knows of them. */
export interface ReceivedReadings {
  readonly content: Uint8Array;
  readonly mediaType: ReadingsMediaType;
  readonly device: Device;
  readonly unit: TemperatureUnit;
  readonly claimed: ClaimedSummary;
  /** Who sent the readings. */
  readonly recordedBy: 'partner' | 'operator' | 'driver';
}

export interface RecordedCondition {
  readonly stored: StoredOrder;
  readonly payload: ConditionPayload;
  /** The number of the entry. */
  readonly sequence: number;
  /** What keeps the record of a device that could not be applied; null: it was. */
  readonly kept: Kept | null;
}

/**
 * Records temperature readings of an order that is not closed (decision 71). The readings are stored
 * before the transaction that adds the entry with their summary. If a reading within the custody is
 * outside the order's limits, the same transaction adds an incident (decision 78).
 * @param transact runs the work in a transaction, at most once.
 * @returns what `transact` returns.
 * @throws Failure VALIDATION, NOT_FOUND, ILLEGAL_TRANSITION, ORGANIZATION_HELD, which is rejected
 *   before the readings are parsed. Nothing is stored then. Readings that a device has signed and that
 *   the order's state rejects are kept (`applyOrKeep`).
 */
export const recordCondition = async <Result>(
  deps: CommandDeps & ArtifactDeps,
  target: OrderKey,
  received: ReceivedReadings,
  metadata: CommandMetadata,
  transact: (work: (tx: Transaction) => Promise<RecordedCondition>) => Promise<Result>,
): Promise<Result> => {
  await requireNotHeld(deps.db, target.organizationId);
  const { createdAt, limits, custody, now } = await readTransport(deps.db, target);
  const { content, mediaType, unit, device, recordedBy } = received;
  const summary = await deps.files.summarize({ content, mediaType, unit, limits, custody });
  requirePast(summary.to, now);
  requireOrder(summary.to, createdAt);
  compareSummary(received.claimed, summary);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { sha256, mediaType, size: content.length };
  const readings = artifactReference(file, deps.artifactRetentionMs);
  const parts = { device, unit, limits, summary, custody, readings, recordedBy };
  const payload = conditionPayload(parts);
  const key = readingsKey(summary.normalizedSha256, device.id);
  const command = { name: 'condition', payload } as const;
  await requireSigned(deps.db, target, command, metadata);
  await checkCommand(deps.db, target, command, metadata).catch((thrown) => {
    if (!isKept(thrown, metadata)) throw thrown;
  });
  await storeArtifact(deps, target, readings, content, false);
  return transact(async (tx) => {
    const applied = await applyOrKeep(tx, deps, target, command, metadata);
    const { stored: first, kept } = applied;
    const sequence = first.order.sequence;
    await requireNewReadings(tx, target, sha256, key);
    await attachArtifact(tx, target, readings, sequence, key);
    const excursion = excursionPayload(payload);
    if (kept || !excursion) return { stored: first, payload, sequence, kept };
    const incident = { name: 'excursion', payload: excursion } as const;
    const same = { ...metadata, payload: null, device: null };
    const stored = await applyWithin(tx, deps, target, incident, same);
    return { stored, payload, sequence, kept };
  });
};

/**
 * Reads what readings of an order are compared with. The custody that the entry states is the one of
 * this moment; a later change of it changes no reading's place, since readings lie in the past.
 * @throws Failure NOT_FOUND
 */
const readTransport = async (sql: Sql, { organizationId, orderId }: OrderKey) => {
  const select = tables
    .selectFrom('orders')
    .select(['created_at', 'temperature_min', 'temperature_max'])
    .select(['blocking_type', 'blocking_at', 'delivered_at'])
    .select(fragment<string>`order_clock()`.as('now'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', orderId);
  const [row] = await execute(sql, select);
  if (!row) throw orderNotFound();
  const isPickedUp = row.blocking_type === 'order.pickup_started';
  return {
    createdAt: isoMillis(row.created_at),
    limits: { min: degrees(row.temperature_min), max: degrees(row.temperature_max) },
    custody: { from: isPickedUp ? row.blocking_at : null, to: row.delivered_at },
    // the clock of this replica may be wrong
    now: Date.parse(isoMillis(row.now)),
  };
};

/** The same readings of the same device have one key, whatever the form of their file. */
const readingsKey = (normalizedSha256: string, deviceId: string): string =>
  createHash('sha256').update(`${normalizedSha256}\n${deviceId}`).digest('hex');

/**
 * Maximum number of files with readings of an order. An entry has up to 32 KiB, so that a history
 * with 100 of them stays below the gateway's limit of a response.
 */
const filesMax = 100;

/**
 * Requires that the order has no entry for the file or its readings (decision 79), and fewer than 100
 * for others. The order's row is locked. @throws Failure VALIDATION
 */
const requireNewReadings = async (
  tx: Transaction,
  { organizationId, orderId }: OrderKey,
  sha256: string,
  key: string,
): Promise<void> => {
  const select = tables
    .selectFrom('artifacts')
    .select(['sha256', 'readings_key', 'sequence'])
    .where('organization_id', '=', organizationId)
    .where('order_id', '=', orderId)
    .where('personal', '=', false)
    .where('sequence', 'is not', null);
  const recorded = await execute(tx, select);
  const same = recorded.find((one) => one.sha256 === sha256 || one.readings_key === key);
  if (same)
    throw invalid(['readings'], `entry ${same.sequence} has these readings; send each file once`);
  if (recorded.length >= filesMax)
    throw invalid(['readings'], `the order has ${filesMax} files; put readings into fewer files`);
};

const degrees = (text: string | null | undefined): number | null =>
  typeof text === 'string' ? Number(text) : null;
