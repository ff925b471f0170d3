import { Counter, Gauge, type Telemetry } from '@pto/telemetry';
import type { AuditorState } from './state.ts';

/**
 * Registers the auditor's metrics.
 * @param initial the stored state at the start.
 */
export const auditorMetrics = ({ metrics }: Telemetry, initial: AuditorState) => {
  const registers = [metrics];
  let passedAt = performance.now();
  // stored, so by the wall clock
  let completedAt = initial.fullCompletedAt ? Date.parse(initial.fullCompletedAt) : Date.now();
  const age = (name: string, help: string, ageMs: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(ageMs() / 1000);
      },
    });
  age(
    'custody_audit_age_seconds',
    'Seconds since the auditor last verified all new entries, or since its start',
    () => performance.now() - passedAt,
  );
  age(
    'custody_full_audit_age_seconds',
    'Seconds since the auditor last completed a full audit of all history, or since its start',
    () => Date.now() - completedAt,
  );
  const gauge = (name: string, help: string) => {
    const created = new Gauge({ name, help, registers });
    // no series before the first pass: a 0 after a restart would end an alert that still applies
    created.remove();
    return created;
  };
  const position = gauge('custody_audit_leaves', 'Leaves of the log that the auditor has verified');
  const full = gauge(
    'custody_full_audit_leaves',
    'Leaves of the log that the current full audit has verified',
  );
  const delay = gauge(
    'custody_oldest_unstored_event_seconds',
    'Age of the oldest order event that custody has not stored; 0 where it has stored all',
  );
  const violations = gauge(
    'custody_faults',
    'Integrity violations that are neither acknowledged nor resolved; missing until the first pass',
  );
  return {
    entries: new Counter({
      name: 'custody_verified_entries_total',
      help: 'Entries and leaves whose hash was recomputed',
      registers,
    }),
    unconfirmed: new Counter({
      name: 'custody_audit_unconfirmed_total',
      help: 'Contradictions that a second read did not show again; they are not reported',
      registers,
    }),
    /** Called after each audit of new entries. */
    verifiedNew: (delaySeconds: number) => {
      passedAt = performance.now();
      delay.set(delaySeconds);
    },
    /** Called when violations were reported and the state was stored. */
    settled: (state: AuditorState, open: number) => {
      if (state.fullCompletedAt) completedAt = Date.parse(state.fullCompletedAt);
      position.set(state.log.size);
      full.set(state.full.log.size);
      violations.set(open);
    },
  };
};
