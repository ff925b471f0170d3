import { itemsOf, namespace, orderUri, sealUri } from '../identifiers.ts';
import { type JsonObject, type OrderRecord, type RecordedOrder, timeOf } from '../order-record.ts';
import { concept, list, type Resource, reference, resource, uriIdentifier } from './elements.ts';
import { transportOrganization } from './places.ts';

/** Status of ServiceRequest and of Task for each status of an order (contract 3.1). */
const statuses: Readonly<Record<string, readonly [request: string, task: string]>> = {
  DRAFT: ['draft', 'draft'],
  SUBMITTED: ['active', 'requested'],
  ASSIGNED: ['active', 'received'],
  ACCEPTED: ['active', 'accepted'],
  DRIVER_ASSIGNED: ['active', 'ready'],
  PICKUP_STARTED: ['active', 'in-progress'],
  SEALED: ['active', 'in-progress'],
  IN_TRANSIT: ['active', 'in-progress'],
  DELIVERED: ['completed', 'completed'],
  CLOSED: ['completed', 'completed'],
  CANCELLED: ['revoked', 'cancelled'],
};

/** A status that is not known here. `businessStatus` of the Task has the word in any case. */
const unknownStatus = ['unknown', 'in-progress'] as const;

const priorities: Readonly<Record<string, string>> = {
  STANDARD: 'routine',
  EXPRESS: 'urgent',
  CRITICAL: 'stat',
};

export const specimens = (order: RecordedOrder): readonly Resource[] =>
  itemsOf(order).map(({ uri, goods_type, seal_id }, at) => {
    const members = {
      identifier: [uriIdentifier(uri)],
      type: { text: goods_type },
      subject: orderSubject(order),
      request: [reference('ServiceRequest', order.id)],
      container: seal_id === null ? undefined : [{ identifier: [uriIdentifier(sealUri(seal_id))] }],
    };
    const summary = `Item ${at + 1}: ${goods_type}`;
    return resource('Specimen', order.id, summary, members, `${at + 1}`);
  });

export const specimenReferences = (order: RecordedOrder): readonly JsonObject[] =>
  itemsOf(order).map((_, at) => reference('Specimen', order.id, `${at + 1}`));

/** The subject is the pickup location: an order names no patient, and R4 requires a subject. */
export const orderSubject = ({ id }: RecordedOrder): JsonObject =>
  reference('Location', id, 'pickup');

/** Returns the order. Notes and prices are left out. */
export const serviceRequest = (order: RecordedOrder): Resource =>
  resource('ServiceRequest', order.id, `Medical transport, ${order.status}`, {
    identifier: identifiers(order),
    status: (statuses[order.status] ?? unknownStatus)[0],
    intent: 'order',
    priority: priorities[order.sla],
    code: concept('service', 'medical-transport'),
    subject: orderSubject(order),
    occurrencePeriod: period(order.pickup_window_start, order.pickup_window_end),
    authoredOn: order.created_at,
    locationReference: [reference('Location', order.id, 'dropoff')],
    specimen: specimenReferences(order),
  });

/** Returns the transport. R5 has the resource Transport for it; R4 has Task. */
export const task = (orderRecord: OrderRecord): Resource => {
  const { order } = orderRecord;
  const organization = transportOrganization(orderRecord);
  return resource('Task', order.id, `Transport of the order, ${order.status}`, {
    identifier: [uriIdentifier(orderUri(order))],
    basedOn: [reference('ServiceRequest', order.id)],
    status: (statuses[order.status] ?? unknownStatus)[1],
    businessStatus: concept('order-status', order.status),
    intent: 'order',
    code: concept('service', 'medical-transport'),
    focus: reference('ServiceRequest', order.id),
    executionPeriod: execution(orderRecord),
    authoredOn: order.created_at,
    lastModified: timeOf(orderRecord),
    owner: organization === null ? undefined : reference('Organization', order.id, organization),
    location: reference('Location', order.id, 'dropoff'),
    input: list(inputs(order)),
  });
};

const identifiers = (order: RecordedOrder): readonly JsonObject[] => [
  uriIdentifier(orderUri(order)),
  ...(order.external_id === null
    ? []
    : [{ system: `${namespace}external-id`, value: order.external_id }]),
];

const period = (start?: string | null, end?: string | null): JsonObject | undefined =>
  start || end ? { start: start ?? undefined, end: end ?? undefined } : undefined;

const execution = ({ custody: { entries } }: OrderRecord): JsonObject | undefined => {
  const time = (type: string) => entries.find((entry) => entry.internal_type === type)?.ts_utc;
  return period(time('PICKUP_STARTED'), time('CUSTODY_TRANSFERRED'));
};

/** Returns the limits of the temperature and the required evidence. */
const inputs = (order: RecordedOrder): readonly JsonObject[] => [
  ...limit('temperature-min', order.temperature_min),
  ...limit('temperature-max', order.temperature_max),
  ...Object.entries<string[]>(order.required_evidence ?? {}).flatMap(([stage, methods]) =>
    methods.map((method) => ({
      type: concept('input', 'required-evidence'),
      valueString: `${stage}: ${method}`,
    })),
  ),
];

const limit = (code: string, degrees: number | null | undefined): readonly JsonObject[] =>
  typeof degrees === 'number'
    ? [{ type: concept('input', code), valueQuantity: temperature(degrees, 'celsius') }]
    : [];

/** Codes of UCUM. */
const unitCodes: Readonly<Record<string, string>> = {
  celsius: 'Cel',
  fahrenheit: '[degF]',
  kelvin: 'K',
};

export const temperature = (value: number, unit: string): JsonObject => ({
  value,
  unit,
  system: 'http://unitsofmeasure.org',
  code: unitCodes[unit],
});
