import type { ConditionPayload } from './condition-payload.ts';

/** The payload of a custody entry `TEMPERATURE_EXCURSION`. */
export type ExcursionPayload = Pick<
  ConditionPayload,
  | 'v'
  | 'unit'
  | 'from'
  | 'to'
  | 'minimum'
  | 'maximum'
  | 'limit_min'
  | 'limit_max'
  | 'excursion_count'
  | 'excursion_seconds'
> & { readonly readings_sha256: string };

/** Returns the payload of the entry that reports the excursions of a condition record. */
export const excursionPayload = (condition: ConditionPayload): ExcursionPayload => ({
  v: condition.v,
  unit: condition.unit,
  from: condition.from,
  to: condition.to,
  minimum: condition.minimum,
  maximum: condition.maximum,
  limit_min: condition.limit_min,
  limit_max: condition.limit_max,
  excursion_count: condition.excursion_count,
  excursion_seconds: condition.excursion_seconds,
  readings_sha256: condition.readings.sha256,
});
