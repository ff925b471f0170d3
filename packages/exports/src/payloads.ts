/** The payloads of custody entries that the exports read beyond their type. */
import type {
  ExcursionPayload,
  HandoverPayload,
  ReadCondition,
  SealMismatchPayload,
} from '@pto/proto/payloads';
import type { RecordedEntry } from './order-record.ts';

/** Returns whether the calibration was valid at the first reading; `unknown` without its date. */
export const calibrationState = ({ calibration_expired: expired }: ReadCondition): string => {
  if (expired === null) return 'unknown';
  return expired ? 'expired' : 'valid';
};

/**
 * Returns a reader of the payload of one internal type and version. The reader returns null for any
 * other entry, so that a later version of a payload breaks no export.
 */
const reader =
  <Payload>(internalType: string, version: string) =>
  ({ internal_type, payload }: RecordedEntry): Payload | null =>
    internal_type === internalType && payload?.v === version ? (payload as Payload) : null;

export const handoverOf = reader<HandoverPayload>('HANDOVER_RECORDED', 'handover/1');
export const sealMismatchOf = reader<SealMismatchPayload>('SEAL_MISMATCH', 'handover/1');
export const conditionOf = reader<ReadCondition>('CONDITION_RECORDED', 'condition/1');

/** Returns the summary of excursions in an entry's payload of any version; null in other entries. */
export const temperatureExcursionOf = ({
  internal_type,
  payload,
}: RecordedEntry): ExcursionPayload | null =>
  internal_type === 'TEMPERATURE_EXCURSION' && typeof payload?.readings_sha256 === 'string'
    ? (payload as unknown as ExcursionPayload)
    : null;

/** Returns the seals that an entry applies, one for each item, in order; none for another entry. */
export const appliedSeals = ({ internal_type, payload }: RecordedEntry): readonly string[] => {
  const seals = internal_type === 'SEAL_APPLIED' ? payload?.seal_ids : null;
  return Array.isArray(seals) ? seals.map(String) : [];
};

/** The names of an entry's personal fields: those with a commitment. */
export const personalFieldsOf = ({ payload }: RecordedEntry): readonly string[] =>
  Object.entries(payload ?? {})
    .filter(([, value]) => typeof value === 'object' && value !== null && 'commitment' in value)
    .map(([name]) => name);

/** Returns a personal field's value as text, or `erased` if it is not disclosed. */
export const personalValue = ({ disclosed }: RecordedEntry, field: string): string => {
  if (!disclosed || !Object.hasOwn(disclosed, field)) return 'erased';
  const { value } = disclosed[field]!;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
