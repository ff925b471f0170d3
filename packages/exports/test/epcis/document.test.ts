import { describe, expect, test } from '@jest/globals';
import { toEpcis } from '../../src/index.ts';
import type { RecordedEntry } from '../../src/order-record.ts';
import { entriesOf, orderRecord, sha256, withEntries } from '../order-record.ts';
import { eventsIn } from './events-in.ts';

const events = eventsIn(toEpcis(orderRecord));
const eventsFor = (...entries: readonly RecordedEntry[]) =>
  eventsIn(toEpcis(withEntries(...entries)));
const summary = events.map((event) => [
  event.type,
  event['pto:internal_type'],
  event.bizStep,
  event.disposition,
]);

test('each entry from the pickup on is one event, and each seal one more', () => {
  expect(summary).toEqual([
    ['ObjectEvent', 'PICKUP_STARTED', 'loading', 'in_progress'],
    ['ObjectEvent', 'SEAL_APPLIED', 'staging_outbound', 'container_closed'],
    ['AssociationEvent', 'SEAL_APPLIED', 'staging_outbound', 'container_closed'],
    ['AssociationEvent', 'SEAL_APPLIED', 'staging_outbound', 'container_closed'],
    ['ObjectEvent', 'HANDOVER_RECORDED', 'accepting', 'in_transit'],
    ['ObjectEvent', 'TRANSPORT_STARTED', 'departing', 'in_transit'],
    ['ObjectEvent', 'HANDOVER_RECORDED', 'accepting', 'in_transit'],
    ['ObjectEvent', 'CONDITION_RECORDED', 'sensor_reporting', undefined],
    ['ObjectEvent', 'TEMPERATURE_EXCURSION', 'sensor_reporting', undefined],
    ['ObjectEvent', 'INCIDENT_REPORTED', 'other', undefined],
    ['ObjectEvent', 'CUSTODY_TRANSFERRED', 'receiving', 'in_progress'],
    ['ObjectEvent', 'HANDOVER_RECORDED', 'accepting', 'in_progress'],
    ['ObjectEvent', 'SEAL_MISMATCH', 'inspecting', 'mismatch_instance'],
    ['ObjectEvent', 'ORDER_CLOSED', 'other', undefined],
  ]);
});

test('an order that was cancelled before the pickup has one event', () => {
  const [planned] = entriesOf('ORDER_SUBMITTED');
  const cancelled = { ...planned!, internal_type: 'ORDER_CANCELLED' };
  expect(eventsFor(planned!, cancelled)).toHaveLength(1);
});

test('an internal type that is not known adds no event', () => {
  const unknown = { ...entriesOf('ORDER_CLOSED')[0]!, internal_type: 'constructor' };
  expect(eventsFor(...entriesOf('TELEPORTED'), unknown)).toEqual([]);
});

test('a payload of a later version is an event without its details', () => {
  const [handover] = entriesOf('HANDOVER_RECORDED');
  const later = { ...handover!, payload: { v: 'handover/2', from: 'another form' } };
  expect(eventsFor(later)[0]).not.toHaveProperty('sourceList');
});

test('a seal is associated with the item at its place in the list', () => {
  expect(events.slice(2, 4).map((event) => [event.parentID, event.childEPCs])).toEqual([
    [`urn:pto:item:${orderRecord.order.id}:1`, ['urn:pto:seal:00123']],
    [`urn:pto:item:${orderRecord.order.id}:2`, ['urn:pto:seal:S%201E5']],
  ]);
});

test('a handover names who gave and who took the goods', () => {
  expect(events[4]).toMatchObject({
    readPoint: { id: 'geo:52.5301,13.3801' },
    bizLocation: { id: `urn:uuid:${orderRecord.order.pickup_location!.id}` },
    sourceList: [{ type: 'possessing_party', source: 'urn:pto:party:Charit%C3%A9' }],
    destinationList: [{ type: 'possessing_party', destination: 'urn:pto:party:MediTrans%20GmbH' }],
    'pto:artifact_sha256': sha256('photo'),
  });
});

test('a departure has no business location, and an arrival has that of its stop', () => {
  const [departure, arrival] = [events[5]!, events[10]!];
  expect(departure).toMatchObject({ readPoint: { id: 'geo:52.5301,13.3801' } });
  expect(departure.bizLocation).toBeUndefined();
  const stop = { id: `urn:uuid:${orderRecord.order.dropoff_location!.id}` };
  expect(arrival).toMatchObject({ readPoint: stop, bizLocation: stop });
});

test('a condition has its summary and an alarm for each excursion', () => {
  expect(events[7]!.sensorElementList).toMatchObject([
    {
      sensorMetadata: { deviceID: 'urn:pto:device:00042' },
      sensorReport: [
        { exception: 'ALARM_CONDITION', minValue: 3, maxValue: 9.4, meanValue: 5.25, uom: 'CEL' },
      ],
    },
    { sensorReport: [{ exception: 'ALARM_CONDITION', value: 9.4, uom: 'CEL' }] },
  ]);
});

test('a condition without an excursion has no alarm', () => {
  const [entry] = entriesOf('CONDITION_RECORDED');
  const payload = { ...entry!.payload, excursion_count: 0, excursions: [] };
  const text = JSON.stringify(eventsFor({ ...entry!, payload }));
  expect(text).toContain('minValue');
  expect(text).not.toContain('ALARM_CONDITION');
});

test('an event names the entry and its hash in the custody history', () => {
  const [entry] = entriesOf('TRANSPORT_STARTED');
  expect(events[5]).toMatchObject({
    'pto:entry_id': entry!.id,
    'pto:event_hash': entry!.event_hash,
    'pto:prev_event_hash': entry!.prev_event_hash,
  });
});

describe('an erasure', () => {
  test('changes no event, because no event has a personal value', () => {
    const erased = orderRecord.custody.entries.map(({ disclosed: _, ...entry }) => entry);
    expect(eventsFor(...erased)).toEqual(events);
    expect(JSON.stringify(events)).not.toContain('Adler');
  });
});

test('the same orderRecord gives the same bytes', () => {
  const copy = structuredClone(orderRecord);
  expect(JSON.stringify(toEpcis(copy))).toBe(JSON.stringify(toEpcis(orderRecord)));
  expect(toEpcis(orderRecord).creationDate).toBe(orderRecord.custody.entries.at(-1)!.ts_utc);
});

test('a reading of a logger without a known calibration has no metadata of its device', () => {
  const [entry] = entriesOf('CONDITION_RECORDED');
  const unknown = { calibration_reference: null, calibration_date: null };
  const payload = { ...entry!.payload, ...unknown, calibration_expired: null };
  const text = JSON.stringify(toEpcis(withEntries({ ...entry!, payload })));
  expect(text).toContain('"pto:calibration":"unknown"');
  expect(text).not.toContain('deviceMetadata');
});
