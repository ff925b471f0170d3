import { expect, test } from '@jest/globals';
import { toFhir } from '../../src/index.ts';
import type { RecordedEntry } from '../../src/order-record.ts';
import { entriesOf, orderRecord, sha256, withEntries } from '../order-record.ts';
import { type Parsed, resourcesIn } from './resources-in.ts';

const bundle = toFhir(orderRecord);
const text = JSON.stringify(bundle);
const found = (resourceType: string) => resourcesIn(bundle, resourceType);
const ofEntries = (resourceType: string, ...entries: readonly RecordedEntry[]) =>
  resourcesIn(toFhir(withEntries(...entries)), resourceType);

/** Returns each value of a JSON tree. */
const valuesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(valuesIn)]
    : [value];

test('the bundle has a resource for each part of the order and of the history', () => {
  const count: Record<string, number> = {};
  for (const { resource } of JSON.parse(text).entry)
    count[resource.resourceType] = (count[resource.resourceType] ?? 0) + 1;
  expect(count).toEqual({
    ServiceRequest: 1,
    Task: 1,
    Specimen: 2,
    Location: 2,
    Organization: 4,
    Device: 1,
    DocumentReference: 3,
    Observation: 1,
    Provenance: 4,
    AuditEvent: 19,
  });
});

test('each reference leads to a resource of the bundle', () => {
  const ids = JSON.parse(text).entry.map(({ fullUrl }: Parsed) => fullUrl);
  const references = valuesIn(JSON.parse(text)).flatMap((value) =>
    typeof value === 'object' && value !== null && 'reference' in value ? [value.reference] : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter((reference) => !ids.includes(reference))).toEqual([]);
});

test('each resource has a narrative, and none has a personal value', () => {
  const { entry: entries } = JSON.parse(text);
  const divs: string[] = entries.map(({ resource }: Parsed) => resource.text.div);
  const form = /^<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml">[^<&]+<\/div>$/;
  for (const div of divs) expect(div).toMatch(form);
  expect(text).toContain('Adler');
  expect(divs.join()).not.toContain('Adler');
});

test('a name with signs of markup and a control character is text in its narrative', () => {
  const items = [{ goods_type: 'A & B <Labor>\u0007', seal_id: null }];
  const made = toFhir({ ...orderRecord, order: { ...orderRecord.order, items } });
  expect(resourcesIn(made, 'Specimen')[0]!.text.div).toContain(
    '>Item 1: A &amp; B &lt;Labor&gt; </div>',
  );
});

test('an observation has a subject, who recorded it, and the part of the custody that it covers', () => {
  const [observation] = found('Observation');
  const [pickup] = found('Location');
  expect(observation!.subject.reference).toBe(`urn:uuid:${pickup!.id}`);
  expect(observation!.performer).toEqual([{ display: 'operator' }]);
  const components = observation!.component.map((one: Parsed) => [one.code.text, one.valuePeriod]);
  expect(components.at(-1)).toEqual([
    'custody-covered',
    { start: '2026-01-15T09:00:00.000Z', end: '2026-01-15T11:00:00.000Z' },
  ]);
  const [entry] = entriesOf('CONDITION_RECORDED');
  const { custody: _, ...earlier } = entry!.payload!;
  const [before] = ofEntries('Observation', { ...entry!, payload: earlier });
  expect(JSON.stringify(before)).not.toContain('custody-covered');
});

test('no array of the bundle is empty', () => {
  const empty = valuesIn(bundle).filter((value) => Array.isArray(value) && value.length === 0);
  expect(empty).toEqual([]);
});

test.each([
  ['DRAFT', 'draft', 'draft'],
  ['SUBMITTED', 'active', 'requested'],
  ['ASSIGNED', 'active', 'received'],
  ['ACCEPTED', 'active', 'accepted'],
  ['DRIVER_ASSIGNED', 'active', 'ready'],
  ['PICKUP_STARTED', 'active', 'in-progress'],
  ['SEALED', 'active', 'in-progress'],
  ['IN_TRANSIT', 'active', 'in-progress'],
  ['DELIVERED', 'completed', 'completed'],
  ['CLOSED', 'completed', 'completed'],
  ['CANCELLED', 'revoked', 'cancelled'],
  ['LATER_STATUS', 'unknown', 'in-progress'],
])('the status %s is %s for the order and %s for the transport', (status, request, task) => {
  const made = toFhir({ ...orderRecord, order: { ...orderRecord.order, status } });
  expect(resourcesIn(made, 'ServiceRequest')[0]!.status).toBe(request);
  expect(resourcesIn(made, 'Task')[0]!.status).toBe(task);
  expect(resourcesIn(made, 'Task')[0]!.businessStatus.text).toBe(status);
});

test('a declined assignment leaves the transport without an owner', () => {
  const [assigned] = entriesOf('ORDER_ASSIGNED');
  const declined = { ...assigned!, internal_type: 'ASSIGNMENT_DECLINED' };
  expect(ofEntries('Task', assigned!)[0]).toHaveProperty('owner');
  expect(ofEntries('Task', assigned!, declined)[0]).not.toHaveProperty('owner');
});

test('a handover names both parties, the disclosed person and `erased` for an erased one', () => {
  const [, handover] = found('Provenance');
  expect(handover!.agent.map((agent: Parsed) => [agent.type.text, agent.who.display])).toEqual([
    ['released', 'Dr. Adler'],
    ['received', 'erased'],
  ]);
  expect(found('Provenance')[2]!.agent[0]).not.toHaveProperty('onBehalfOf');
});

test('an artifact is a document with its SHA-256 as identifier and without a hash of SHA-1', () => {
  const [photo] = found('DocumentReference');
  const digest = Buffer.from(sha256('photo'), 'hex').toString('base64url');
  expect(photo!.identifier[0].value).toBe(`ni:///sha-256;${digest}`);
  expect(photo!.content).toEqual([{ attachment: { contentType: 'image/jpeg', size: 48_213 } }]);
});

test('a condition with an excursion is abnormal, with its values in UCUM units', () => {
  const [observation] = found('Observation');
  expect(observation!.interpretation[0].coding[0].code).toBe('A');
  expect(observation!.component[1].valueQuantity).toMatchObject({ value: 9.4, code: 'Cel' });
  expect(observation!.referenceRange[0]).toMatchObject({ low: { value: 2 }, high: { value: 8 } });
});

test.each([
  ['fahrenheit', '[degF]'],
  ['kelvin', 'K'],
])('a temperature in %s has the unit %s', (unit, code) => {
  const [entry] = entriesOf('CONDITION_RECORDED');
  const [observation] = ofEntries('Observation', {
    ...entry!,
    payload: { ...entry!.payload, unit },
  });
  expect(observation!.component[0].valueQuantity.code).toBe(code);
});

test('a condition without limits has no interpretation', () => {
  const [entry] = entriesOf('CONDITION_RECORDED');
  const payload = { ...entry!.payload, limit_min: null, limit_max: null };
  expect(ofEntries('Observation', { ...entry!, payload })[0]).not.toHaveProperty('interpretation');
});

test('a condition is normal of its readings within the custody alone', () => {
  const [entry] = entriesOf('CONDITION_RECORDED');
  const payload = { ...entry!.payload, excursion_count: 0, excursions: [] } as Parsed;
  const interpretationOf = (custody: unknown) =>
    ofEntries('Observation', { ...entry!, payload: { ...payload, custody } })[0]!.interpretation;
  const [within] = interpretationOf(payload.custody);
  expect(within).toMatchObject({
    coding: [{ code: 'N' }],
    text: expect.stringContaining('custody'),
  });
  expect(interpretationOf({ ...payload.custody, covered: null })).toBeUndefined();
  // an entry of before decision 78
  const [earlier] = interpretationOf(undefined);
  expect(earlier.coding[0].code).toBe('N');
  expect(earlier).not.toHaveProperty('text');
});

test('each entry is an audit event with its hash, of a type not known, too', () => {
  const hashes = found('AuditEvent').map(
    ({ entity }) => entity[0].detail.find(({ type }: Parsed) => type === 'event_hash').valueString,
  );
  expect(hashes).toEqual(orderRecord.custody.entries.map(({ event_hash }) => event_hash));
  expect(found('AuditEvent').at(-1)!.subtype[0].code).toBe('TELEPORTED');
});

test('an erased driver is named `erased`', () => {
  const driver = found('AuditEvent')[3]!.entity[0].detail.at(-1);
  expect(driver).toEqual({ type: 'driver', valueString: 'erased' });
  expect(text).not.toContain('Kern');
});

test('a seal that differs stands in the audit event of the mismatch', () => {
  const mismatch = found('AuditEvent')[15]!.entity[0].detail.slice(3);
  expect(mismatch).toEqual([
    { type: 'missing_seal_id', valueString: '00123' },
    { type: 'unexpected_seal_id', valueString: '00124' },
  ]);
});

test('the same orderRecord gives the same bytes', () => {
  expect(JSON.stringify(toFhir(structuredClone(orderRecord)))).toBe(text);
  expect(bundle.timestamp).toBe(orderRecord.custody.entries.at(-1)!.ts_utc);
});

test('an Observation of a logger without a known calibration says so', () => {
  const [entry] = entriesOf('CONDITION_RECORDED');
  const unknown = { calibration_reference: null, calibration_date: null };
  const payload = { ...entry!.payload, ...unknown, calibration_expired: null };
  const text = JSON.stringify(toFhir(withEntries({ ...entry!, payload })));
  expect(text).toContain('calibration unknown of an unknown date, unknown');
});
