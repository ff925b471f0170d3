import type { HandoverParty, HandoverPayload } from '@pto/proto/payloads';
import { sealUri } from '../identifiers.ts';
import type { JsonObject, OrderRecord, RecordedEntry, RecordedOrder } from '../order-record.ts';
import {
  appliedSeals,
  handoverOf,
  personalFieldsOf,
  personalValue,
  sealMismatchOf,
} from '../payloads.ts';
import {
  coding,
  concept,
  list,
  type Resource,
  reference,
  resource,
  uriIdentifier,
} from './elements.ts';
import { specimenReferences } from './order.ts';
import { transportOrganization } from './places.ts';

/** Returns who handed over or sealed the goods. Other entries have no provenance. */
export const provenances = (orderRecord: OrderRecord): readonly Resource[] =>
  orderRecord.custody.entries.flatMap((entry) => {
    const handover = handoverOf(entry);
    if (handover) return [ofHandover(orderRecord.order, entry, handover)];
    const seals = appliedSeals(entry);
    return seals.length > 0 ? [ofSeals(orderRecord, entry, seals)] : [];
  });

const provenance = (
  order: RecordedOrder,
  entry: RecordedEntry,
  summary: string,
  members: JsonObject,
): Resource =>
  resource('Provenance', entry.id, `${summary}, ${entry.ts_utc}`, {
    target: [reference('Task', order.id), ...specimenReferences(order)],
    occurredDateTime: entry.ts_utc,
    recorded: entry.ts_utc,
    ...members,
  });

/**
 * Returns the provenance of a handover. A signature of a person is a picture and stands in `entity`
 * as a document; `Provenance.signature` is for digital signatures, and there is none.
 */
const ofHandover = (
  order: RecordedOrder,
  entry: RecordedEntry,
  handover: HandoverPayload,
): Resource => {
  const { stage, from, to, methods, scanned_seal_ids, artifact } = handover;
  const documents = artifact ? [source(reference('DocumentReference', entry.id))] : [];
  const summary = `Handover at ${stage} from ${from.party} to ${to.party}`;
  return provenance(order, entry, summary, {
    activity: {
      coding: [coding('handover-stage', stage), ...methods.map((one) => coding('method', one))],
      text: `handover, ${stage}`,
    },
    agent: [
      agent(order, entry, 'released', from, 'from_person'),
      agent(order, entry, 'received', to, 'to_person'),
    ],
    entity: list([...documents, ...(scanned_seal_ids ?? []).map(seal)]),
  });
};

/** Returns a party of a handover: the organization, or the person on behalf of it. */
const agent = (
  { id }: RecordedOrder,
  entry: RecordedEntry,
  type: string,
  { party, role }: HandoverParty,
  personField: string,
): JsonObject => {
  const organization = reference('Organization', id, party);
  const who = personalFieldsOf(entry).includes(personField)
    ? { who: { display: personalValue(entry, personField) }, onBehalfOf: organization }
    : { who: organization };
  return { type: concept('custody', type), role: [concept('party-role', role)], ...who };
};

const ofSeals = (
  orderRecord: OrderRecord,
  entry: RecordedEntry,
  seals: readonly string[],
): Resource => {
  const organization = transportOrganization(orderRecord);
  const who =
    organization === null
      ? { display: 'unknown' }
      : reference('Organization', orderRecord.order.id, organization);
  return provenance(orderRecord.order, entry, `Goods sealed with ${seals.join(', ')}`, {
    activity: concept('internal-type', entry.internal_type),
    agent: [{ type: concept('custody', 'sealed'), who }],
    entity: seals.map(seal),
  });
};

const source = (what: JsonObject): JsonObject => ({ role: 'source', what });
const seal = (id: string): JsonObject =>
  source({ identifier: uriIdentifier(sealUri(id)), display: id });

/** Returns the custody entries with their hashes, each as one audit event. */
export const auditEvents = ({ order, custody }: OrderRecord): readonly Resource[] =>
  custody.entries.map((entry) =>
    resource('AuditEvent', entry.id, `Custody entry ${entry.internal_type}, ${entry.ts_utc}`, {
      type: coding('custody', 'entry'),
      subtype: [coding('internal-type', entry.internal_type), coding('event', entry.type)],
      recorded: entry.ts_utc,
      agent: [{ who: ledger, requestor: false }],
      source: { observer: ledger },
      entity: [{ what: reference('Task', order.id), detail: details(entry) }],
    }),
  );

const ledger = { display: 'custody ledger' };

/** Returns the hashes, the personal fields or `erased`, and the seals that differ. */
const details = (entry: RecordedEntry): readonly JsonObject[] => {
  const mismatch = sealMismatchOf(entry);
  const texts: readonly (readonly [type: string, text: string])[] = [
    ['entry_id', entry.id],
    ['event_hash', entry.event_hash],
    ['prev_event_hash', entry.prev_event_hash],
    ...personalFieldsOf(entry).map((field) => [field, personalValue(entry, field)] as const),
    ...(mismatch?.missing_seal_ids ?? []).map((id) => ['missing_seal_id', id] as const),
    ...(mismatch?.unexpected_seal_ids ?? []).map((id) => ['unexpected_seal_id', id] as const),
  ];
  return texts.map(([type, valueString]) => ({ type, valueString }));
};
