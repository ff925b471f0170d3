import { externalIdUri, itemsOf, namespace, orderUri, sealUri } from '../identifiers.ts';
import type { JsonObject, RecordedEntry, RecordedOrder } from '../order-record.ts';
import {
  appliedSeals,
  calibrationState,
  conditionOf,
  handoverOf,
  sealMismatchOf,
} from '../payloads.ts';
import { eventId } from './event-id.ts';
import { placeOf, sourceAndDestination } from './parties.ts';
import { sensorElements } from './sensors.ts';
import { stepOf } from './steps.ts';

/**
 * Returns the EPCIS events of one custody entry: an ObjectEvent over all items, and for each applied
 * seal an AssociationEvent of seal and item. None for an entry that is no event of the goods.
 */
export const eventsOf = (order: RecordedOrder, entry: RecordedEntry): readonly JsonObject[] => {
  const step = stepOf(entry);
  if (!step) return [];
  const items = itemsOf(order);
  const common = {
    bizStep: step.bizStep,
    disposition: step.disposition,
    ...placeOf(order, entry),
    bizTransactionList: transactions(order),
    ...custodyMembers(entry),
  };
  const time = { eventTime: entry.ts_utc, eventTimeZoneOffset: '+00:00' };
  const sensors = sensorElements(entry);
  const observed = identified({
    type: 'ObjectEvent',
    ...time,
    epcList: items.map(({ uri }) => uri),
    action: 'OBSERVE',
    ...common,
    ...sourceAndDestination(order, entry),
    sensorElementList: sensors.length > 0 ? sensors : undefined,
    ...details(entry),
  });
  const associated = appliedSeals(entry)
    .slice(0, items.length)
    .map((seal, at) =>
      identified({
        type: 'AssociationEvent',
        ...time,
        parentID: items[at]!.uri,
        childEPCs: [sealUri(seal)],
        action: 'ADD',
        ...common,
      }),
    );
  return [observed, ...associated];
};

const identified = (event: JsonObject): JsonObject => ({ eventID: eventId(event), ...event });

/** Returns the order, and the partner's own reference if there is one, sorted by type. */
const transactions = (order: RecordedOrder): readonly JsonObject[] => [
  ...(order.external_id === null
    ? []
    : [
        {
          type: `${namespace}external-id`,
          bizTransaction: externalIdUri(order.external_id),
        },
      ]),
  { type: `${namespace}transport-order`, bizTransaction: orderUri(order) },
];

/** The members that tie an event to its entry of the custody history. */
const custodyMembers = (entry: RecordedEntry): JsonObject => ({
  'pto:entry_id': entry.id,
  'pto:internal_type': entry.internal_type,
  'pto:event_hash': entry.event_hash,
  'pto:prev_event_hash': entry.prev_event_hash,
});

/**
 * Returns what EPCIS has no member for. Personal fields are left out: an erasure would change the
 * event and so its id. Seals are URIs, because a text of digits is a number to the event hash.
 */
const details = (entry: RecordedEntry): JsonObject => {
  const handover = handoverOf(entry);
  if (handover)
    return {
      'pto:stage': handover.stage,
      'pto:from_role': handover.from.role,
      'pto:to_role': handover.to.role,
      'pto:methods': handover.methods,
      'pto:scanned_seals': handover.scanned_seal_ids?.map(sealUri),
      'pto:artifact_sha256': handover.artifact?.sha256,
    };
  const mismatch = sealMismatchOf(entry);
  if (mismatch)
    return {
      'pto:stage': mismatch.stage,
      'pto:missing_seals': mismatch.missing_seal_ids.map(sealUri),
      'pto:unexpected_seals': mismatch.unexpected_seal_ids.map(sealUri),
    };
  const condition = conditionOf(entry);
  if (!condition) return {};
  return {
    'pto:calibration': calibrationState(condition),
    'pto:covered_from': condition.custody?.covered?.from,
    'pto:covered_to': condition.custody?.covered?.to,
  };
};
