import { createHash } from 'node:crypto';
import { execute, type Transaction } from '@pto/database';
import { invalid } from '@pto/errors';
import { requireNotHeld } from '@pto/moves';
import { type ClaimedSummary, compareSummary } from '../conditions/compare-summary.ts';
import {
  type ConditionPayload,
  conditionPayload,
  type Device,
} from '../conditions/condition-payload.ts';
import { excursionPayload } from '../conditions/excursion-payload.ts';
import { type ReadingsMediaType, requirePast } from '../conditions/reading.ts';
import type { TemperatureUnit } from '../conditions/units.ts';
import type { CommandMetadata } from '../domain/order.ts';
import { getOrder, type OrderKey } from '../reading/get-order.ts';
import type { StoredOrder } from '../reading/stored-order.ts';
import { tables } from '../schema/tables.ts';
import { applyWithin, type CommandDeps, checkCommand } from './apply-command.ts';
import {
  type ArtifactDeps,
  artifactReference,
  attachArtifact,
  storeArtifact,
} from './artifacts.ts';

/** Readings as they were received, and what the sender knows of them. */
export interface ReceivedReadings {
  readonly content: Uint8Array;
  readonly mediaType: ReadingsMediaType;
  readonly device: Device;
  readonly unit: TemperatureUnit;
  readonly claimed: ClaimedSummary;
  /** Who sent the readings. */
  readonly recordedBy: 'partner' | 'operator';
}

export interface RecordedCondition {
  readonly stored: StoredOrder;
  readonly payload: ConditionPayload;
  /** The number of the entry. */
  readonly sequence: number;
}

/**
 * Records temperature readings of an order that is not closed (decision 71). The readings are stored
 * before the transaction that adds the entry with their summary. If a reading is outside the order's
 * limits, the same transaction adds an incident.
 * @param transact runs the work in a transaction, at most once.
 * @returns what `transact` returns.
 * @throws Failure VALIDATION, NOT_FOUND, ILLEGAL_TRANSITION, ORGANIZATION_HELD, which is rejected
 *   before the readings are parsed. Nothing is stored then.
 */
export const recordCondition = async <Result>(
  deps: CommandDeps & ArtifactDeps,
  target: OrderKey,
  received: ReceivedReadings,
  metadata: CommandMetadata,
  transact: (work: (tx: Transaction) => Promise<RecordedCondition>) => Promise<Result>,
): Promise<Result> => {
  await requireNotHeld(deps.db, target.organizationId);
  const { order } = await getOrder({ ...deps, sql: deps.db }, target);
  const { content, mediaType, unit, device, recordedBy } = received;
  const limits = { min: degrees(order.temperatureMin), max: degrees(order.temperatureMax) };
  const summary = await deps.files.summarize({ content, mediaType, unit, limits });
  requirePast(summary.to, Date.now());
  compareSummary(received.claimed, summary);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { sha256, mediaType, size: content.length };
  const readings = artifactReference(file, deps.artifactRetentionMs);
  const payload = conditionPayload({ device, unit, limits, summary, readings, recordedBy });
  const command = { name: 'condition', payload } as const;
  await checkCommand(deps.db, target, command, metadata);
  await storeArtifact(deps, target, readings, content, false);
  return transact(async (tx) => {
    const first = await applyWithin(tx, deps, target, command, metadata);
    const sequence = first.order.sequence;
    await requireNewFile(tx, target, sha256);
    await attachArtifact(tx, target, readings, sequence);
    const incident = { name: 'excursion', payload: excursionPayload(payload) } as const;
    const same = { ...metadata, payload: null };
    const stored =
      payload.excursion_count > 0 ? await applyWithin(tx, deps, target, incident, same) : first;
    return { stored, payload, sequence };
  });
};

/**
 * Maximum number of files with readings of an order. An entry has up to 32 KiB, so that a history
 * with 100 of them stays below the gateway's limit of a response.
 */
const filesMax = 100;

/**
 * Requires that the order has no entry for the file and fewer than 100 for others. The order's row is
 * locked. @throws Failure VALIDATION
 */
const requireNewFile = async (
  tx: Transaction,
  { organizationId, orderId }: OrderKey,
  sha256: string,
): Promise<void> => {
  const select = tables
    .selectFrom('artifacts')
    .select(['sha256', 'sequence'])
    .where('organization_id', '=', organizationId)
    .where('order_id', '=', orderId)
    .where('personal', '=', false)
    .where('sequence', 'is not', null);
  const recorded = await execute(tx, select);
  const same = recorded.find((one) => one.sha256 === sha256);
  if (same)
    throw invalid(['readings'], `entry ${same.sequence} has these readings; send each file once`);
  if (recorded.length >= filesMax)
    throw invalid(['readings'], `the order has ${filesMax} files; put readings into fewer files`);
};

const degrees = (text: string | null | undefined): number | null =>
  typeof text === 'string' ? Number(text) : null;
