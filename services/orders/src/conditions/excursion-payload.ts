import type { ConditionPayload, ExcursionPayload } from '@pto/proto/payloads';

/**
 * Returns the payload of the entry that reports the excursions of a condition record: times and
 * extremes of its readings within the custody. Null without an excursion there.
 */
export const excursionPayload = ({
  excursion_count,
  custody: { covered },
  ...condition
}: ConditionPayload): ExcursionPayload | null =>
  excursion_count === 0 || covered === null
    ? null
    : {
        v: condition.v,
        unit: condition.unit,
        from: covered.from,
        to: covered.to,
        minimum: covered.minimum,
        maximum: covered.maximum,
        limit_min: condition.limit_min,
        limit_max: condition.limit_max,
        excursion_count,
        excursion_seconds: condition.excursion_seconds,
        readings_sha256: condition.readings.sha256,
      };
