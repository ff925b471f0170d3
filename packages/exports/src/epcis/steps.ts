/** What EPCIS calls the entries of a custody history (CBV 2.0, sections 7.1 and 7.2). */
import type { RecordedEntry } from '../order-record.ts';
import { handoverOf } from '../payloads.ts';

export interface Step {
  readonly bizStep: string;
  readonly disposition?: string;
}

/** The step of each internal type that is an event of the goods. */
const steps: Readonly<Record<string, Step>> = {
  PICKUP_STARTED: { bizStep: 'loading', disposition: 'in_progress' },
  SEAL_APPLIED: { bizStep: 'staging_outbound', disposition: 'container_closed' },
  TRANSPORT_STARTED: { bizStep: 'departing', disposition: 'in_transit' },
  HANDOVER_RECORDED: { bizStep: 'accepting', disposition: 'in_transit' },
  SEAL_MISMATCH: { bizStep: 'inspecting', disposition: 'mismatch_instance' },
  CONDITION_RECORDED: { bizStep: 'sensor_reporting' },
  TEMPERATURE_EXCURSION: { bizStep: 'sensor_reporting' },
  INCIDENT_REPORTED: { bizStep: 'other' },
  INCIDENT_RESOLVED: { bizStep: 'other' },
  CUSTODY_TRANSFERRED: { bizStep: 'receiving', disposition: 'in_progress' },
  ORDER_CLOSED: { bizStep: 'other' },
  ORDER_CANCELLED: { bizStep: 'other' },
};

/** Dispositions of a handover by its stage, where it is not `in_transit`. */
const handoverDispositions: Readonly<Record<string, string>> = {
  dropoff: 'in_progress',
  return: 'returned',
};

/**
 * Returns the step of an entry; null for an entry that is no event of the goods: planning before
 * the pickup, changes of the order, escalations, erasures, and internal types not known here.
 */
export const stepOf = (entry: RecordedEntry): Step | null => {
  if (!Object.hasOwn(steps, entry.internal_type)) return null;
  const step = steps[entry.internal_type]!;
  const disposition = handoverDispositions[handoverOf(entry)?.stage ?? ''];
  return disposition === undefined ? step : { ...step, disposition };
};
