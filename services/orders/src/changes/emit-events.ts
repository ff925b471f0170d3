import { randomBytes } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import type { OutgoingMessage } from '@pto/bus';
import {
  canonicalJson,
  commitmentIn,
  commitmentOf,
  contentDigest,
  type EventContent,
} from '@pto/custody-verifier';
import { bulkInsert, type Transaction, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import { addToOutbox } from '@pto/outbox';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { deviceFields, payloadField } from '@pto/proto/payload-fields';
import { orderEventsTopic } from '@pto/proto/topics';
import type { OrderFields } from '@pto/representation';
import type { Announcement, DeviceSource, JsonObject } from '../domain/order.ts';
import { tables } from '../schema/tables.ts';

/** An event of an order. */
export interface EmittedEvent {
  /** The order after the event; `sequence` is the event's number. */
  readonly order: OrderFields;
  readonly announcement: Announcement;
  /** Name of the operator who caused the event; undefined or null: none did. */
  readonly operator?: string | null;
  /** The request that caused the event; undefined: the request of the current context. */
  readonly cause?: Cause | undefined;
}

/** The trace and the request to which a message belongs. */
export type Cause = Pick<OutgoingMessage, 'traceparent' | 'requestId'>;

const insertProduced = bulkInsert(tables, 'produced_events');
const insertUnreported = bulkInsert(tables, 'unreported_events');
const insertDisclosures = bulkInsert(tables, 'disclosures');
const insertOperators = bulkInsert(tables, 'entry_operators');

/**
 * Writes events to the outbox in the transaction that changes their orders. Also stores the events'
 * digests as evidence, and queues the events as not yet reported by custody (decisions 53 and 55).
 * The values of personal fields are stored here alone: an event has commitments to them (decision
 * 70).
 * @throws Failure VALIDATION for an undeclared field of a payload.
 */
export const emitEvents = async (
  tx: Transaction,
  sign: Sign,
  emitted: readonly EmittedEvent[],
): Promise<void> => {
  if (emitted.length === 0) return;
  const events = emitted.map((one) => {
    const { device = null, kept } = one.announcement;
    const { payload, committed } = commitPersonal(one.announcement, device);
    const marked = device ? { ...payload, device: device.record, ...(kept && { kept }) } : payload;
    const announcement = { ...one.announcement, payload: marked };
    return { ...one, announcement, committed, id: uuidv7() };
  });
  const rows = events.map(({ order }) => ({
    organization_id: order.organizationId,
    order_id: order.id,
    sequence: order.sequence,
  }));
  await insertProduced(
    tx.pipelined,
    events.map((event, n) => ({ ...rows[n]!, digest: contentDigest(contentOf(event)) })),
  );
  await insertUnreported(tx.pipelined, rows);
  await insertDisclosures(
    tx.pipelined,
    events.flatMap(({ committed }, n) =>
      committed.map(({ field, value, salt }) => ({
        ...rows[n]!,
        field,
        value: canonicalJson(value),
        salt,
      })),
    ),
  );
  await insertOperators(
    tx.pipelined,
    events.flatMap(({ operator }, n) => (operator ? [{ ...rows[n]!, operator }] : [])),
  );
  await addToOutbox(
    tx,
    events.map((event) => sign(messageOf(event))),
  );
};

type Event = EmittedEvent & { readonly id: string };

const contentOf = ({ id, order, announcement }: Event): EventContent => ({
  order_id: order.id,
  sequence: order.sequence,
  id,
  type: announcement.type,
  internal_type: announcement.internalType,
  ts_utc: announcement.tsUtc,
  gps_lat: announcement.position?.lat ?? null,
  gps_lng: announcement.position?.lng ?? null,
  payload: announcement.payload,
});

const messageOf = ({ id, order, announcement, cause }: Event): OutgoingMessage => {
  const { payload, position } = announcement;
  const event = create(OrderEventSchema, {
    id,
    organizationId: order.organizationId,
    orderId: order.id,
    sequence: order.sequence,
    type: announcement.type,
    internalType: announcement.internalType,
    tsUtc: announcement.tsUtc,
    ...(position && { position }),
    payloadJson: payload === null ? '' : canonicalJson(payload),
    order: {
      ...(typeof order.externalId === 'string' && { externalId: order.externalId }),
      status: order.status,
      updatedAt: order.updatedAt,
    },
  });
  const value = toBinary(OrderEventSchema, event);
  const { type } = announcement;
  return { topic: orderEventsTopic, key: order.id, id, type, value, ...cause };
};

/** Keeps the values of personal fields out of events: pure, apart from the random salts. */

/** A personal field of an entry, the value that it commits to and the salt. */
interface CommittedField {
  readonly field: string;
  readonly value: unknown;
  readonly salt: string;
}

/**
 * Replaces the values of personal fields by commitments with a salt of 32 random bytes each
 * (decision 70), or with the salts of the device that has signed them.
 * @throws Failure VALIDATION for what custody would park: a field that proto/payload-fields.ts does
 *   not declare for the type, or an open one that looks like a commitment.
 */
export const commitPersonal = (
  { internalType, payload }: Pick<Announcement, 'internalType' | 'payload'>,
  device: DeviceSource | null = null,
): {
  readonly payload: JsonObject | null;
  readonly committed: readonly CommittedField[];
} => {
  const committed: CommittedField[] = [];
  if (payload === null) return { payload, committed };
  const members = Object.entries(payload).map(([field, value]): [string, unknown] => {
    const declared = isOurs(field) ? undefined : payloadField(internalType, field);
    if (declared === undefined)
      throw invalid(
        ['payload', field],
        `not a field of ${internalType} (docs/partners/custody.md)`,
      );
    if (declared === 'open' && commitmentIn(payload, field) !== null)
      throw invalid(['payload', field], 'must not have the form of a commitment');
    if (declared === 'open' || value === null) return [field, value];
    const salt = device === null ? randomBytes(32).toString('hex') : device.salts[field];
    if (salt === undefined) throw invalid(['device', 'salts', field], 'the salt is missing');
    const one = { field, value, salt };
    committed.push(one);
    return [field, { commitment: commitmentOf(field, one) }];
  });
  return { payload: Object.fromEntries(members), committed };
};

const isOurs = (field: string): boolean => Object.hasOwn(deviceFields, field);
