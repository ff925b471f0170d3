import type { ArtifactReference, ReadCondition } from '@pto/proto/payloads';
import { deviceUri, digestUri } from '../identifiers.ts';
import type { JsonObject, OrderRecord, RecordedEntry, RecordedOrder } from '../order-record.ts';
import { calibrationState, conditionOf, handoverOf } from '../payloads.ts';
import { concept, type Resource, reference, resource, uriIdentifier } from './elements.ts';
import { orderSubject, specimenReferences, temperature } from './order.ts';

const conditions = ({ custody }: OrderRecord) =>
  custody.entries.flatMap((entry) => {
    const condition = conditionOf(entry);
    return condition ? [{ entry, condition }] : [];
  });

/** Returns each temperature logger of the history, once. */
export const devices = (orderRecord: OrderRecord): readonly Resource[] =>
  [...new Set(conditions(orderRecord).map(({ condition }) => condition.device_id))].map((device) =>
    resource(
      'Device',
      orderRecord.order.id,
      `Temperature logger ${device}`,
      {
        identifier: [uriIdentifier(deviceUri(device))],
        serialNumber: device,
        type: concept('device', 'temperature-logger'),
      },
      device,
    ),
  );

export const observations = (orderRecord: OrderRecord): readonly Resource[] =>
  conditions(orderRecord).map(({ entry, condition }) =>
    observation(orderRecord.order, entry, condition),
  );

const observation = (
  order: RecordedOrder,
  entry: RecordedEntry,
  condition: ReadCondition,
): Resource => {
  const { from, to, unit, device_id, calibration_reference, calibration_date } = condition;
  const { minimum, maximum, excursion_count, custody } = condition;
  const covered = custody?.covered;
  const summary = `Temperature from ${minimum} to ${maximum} ${unit}, ${from} to ${to}; excursions${custody ? ' within the custody' : ''}: ${excursion_count}`;
  return resource('Observation', entry.id, summary, {
    status: 'final',
    code: concept('observation', 'transport-temperature'),
    subject: orderSubject(order),
    performer: [{ display: condition.recorded_by }],
    focus: specimenReferences(order),
    effectivePeriod: { start: from, end: to },
    issued: entry.ts_utc,
    interpretation: interpretation(condition),
    note: [
      {
        text: `calibration ${calibration_reference ?? 'unknown'} of ${calibration_date ?? 'an unknown date'}, ${calibrationState(condition)}`,
      },
    ],
    device: reference('Device', order.id, device_id),
    derivedFrom: [reference('DocumentReference', entry.id)],
    referenceRange: referenceRange(condition),
    component: [
      component('minimum', { valueQuantity: temperature(minimum, unit) }),
      component('maximum', { valueQuantity: temperature(maximum, unit) }),
      component('mean', { valueQuantity: temperature(condition.mean, unit) }),
      component('excursion-count', { valueInteger: excursion_count }),
      component('excursion-duration', { valueQuantity: seconds(condition.excursion_seconds) }),
      ...(covered
        ? [component('custody-covered', { valuePeriod: { start: covered.from, end: covered.to } })]
        : []),
    ],
  });
};

const component = (code: string, value: JsonObject): JsonObject => ({
  code: concept('observation', code),
  ...value,
});

const seconds = (value: number): JsonObject => ({
  value,
  unit: 'second',
  system: 'http://unitsofmeasure.org',
  code: 's',
});

/**
 * Returns abnormal or normal; nothing for a condition that judges nothing: without limits, or without
 * a reading within the custody (decision 78).
 */
const interpretation = ({ excursion_count, limit_min, limit_max, custody }: ReadCondition) => {
  if ((limit_min === null && limit_max === null) || custody?.covered === null) return undefined;
  const [code, display] = excursion_count > 0 ? ['A', 'Abnormal'] : ['N', 'Normal'];
  const system = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
  const text = custody && 'of the readings within the custody';
  return [{ coding: [{ system, code, display }], text }];
};

const referenceRange = ({
  limit_min,
  limit_max,
}: ReadCondition): readonly JsonObject[] | undefined =>
  limit_min === null && limit_max === null
    ? undefined
    : [
        {
          low: limit_min === null ? undefined : temperature(limit_min, 'celsius'),
          high: limit_max === null ? undefined : temperature(limit_max, 'celsius'),
        },
      ];

/** Returns the files that the entries refer to: artifacts of handovers and readings of loggers. */
export const documents = ({ custody }: OrderRecord): readonly Resource[] =>
  custody.entries.flatMap((entry) => {
    const artifact = handoverOf(entry)?.artifact ?? conditionOf(entry)?.readings;
    return artifact ? [document(entry, artifact)] : [];
  });

/**
 * Returns a file without its bytes. Its SHA-256 is the identifier, because `Attachment.hash` of R4
 * is a SHA-1.
 */
const document = (
  entry: RecordedEntry,
  { sha256, media_type, size }: ArtifactReference,
): Resource =>
  resource('DocumentReference', entry.id, `File of ${size} bytes, SHA-256 ${sha256}`, {
    identifier: [uriIdentifier(digestUri(sha256))],
    status: 'current',
    date: entry.ts_utc,
    content: [{ attachment: { contentType: media_type, size } }],
  });
