/** What StatusService measures: each metric in words, and when it needs attention. */
import type { Measurement } from '@pto/proto/operators/v1/status';

export interface Measured {
  /** Such as `Messages that are not published`. */
  readonly words: string;
  readonly unit: '' | 'seconds';
  /** A greater value needs attention. The alerts also look at how long (deploy/helm/partner-api/rules). */
  readonly limit?: number;
  /** What to do about a greater value: a file of docs/operators/runbooks. */
  readonly runbook?: string;
  /** What 0 and any other value mean, for a measurement that is yes or no. */
  readonly states?: readonly [zero: string, other: string];
  /** Worth showing with the value 0, too: the result of a check. */
  readonly isResult?: true;
}

const day = 86_400;

export const measurements: Readonly<Record<string, Measured>> = {
  outbox_unsent: { words: 'Messages that are not published', unit: '' },
  outbox_oldest_unsent_seconds: {
    words: 'Oldest unpublished message',
    unit: 'seconds',
    limit: 60,
    runbook: 'OutboxStuck',
  },
  bus_consumer_lag: {
    words: 'Messages that wait to be read',
    unit: '',
    limit: 5000,
    runbook: 'ConsumerBehind',
  },
  bus_dead_letters: { words: 'Dead letters', unit: '', limit: 0, runbook: 'DeadLettersWaiting' },
  bus_rejected_messages: {
    words: 'Dead letters without proof of origin',
    unit: '',
    limit: 0,
    runbook: 'MessagesRejected',
  },
  custody_violations_open: {
    words: 'Open integrity violations',
    unit: '',
    limit: 0,
    runbook: 'LedgerFault',
  },
  custody_last_audit_seconds: {
    words: 'Last audit of new entries',
    unit: 'seconds',
    limit: 900,
    runbook: 'AuditLate',
  },
  custody_last_audit_violations: { words: 'Violations that it found', unit: '', isResult: true },
  custody_last_full_audit_seconds: {
    words: 'Last audit of all entries',
    unit: 'seconds',
    limit: 14 * day,
    runbook: 'FullAuditLate',
  },
  custody_last_full_audit_violations: {
    words: 'Violations in all entries',
    unit: '',
    isResult: true,
  },
  custody_log_checkpoint_age_seconds: { words: 'Last signed checkpoint', unit: 'seconds' },
  custody_log_anchor_age_seconds: { words: 'Last anchored checkpoint', unit: 'seconds' },
  custody_log_unanchored_seconds: {
    words: 'Entries without an anchored checkpoint, for',
    unit: 'seconds',
    limit: 900,
    runbook: 'LedgerUnanchored',
  },
  custody_log_halted: {
    words: 'Log',
    unit: '',
    limit: 0,
    runbook: 'LedgerHalted',
    states: ['appends entries', 'halted'],
  },
  custody_witness_behind_seconds: {
    words: 'Witness behind, for',
    unit: 'seconds',
    limit: 900,
    runbook: 'WitnessBehind',
  },
  webhook_pending_deliveries: { words: 'Deliveries under way', unit: '' },
  // a partner's receiver fails, which is no fault of ours: many at once are an alert
  webhook_breaking_endpoints: { words: 'Endpoints that become broken', unit: '' },
  webhook_oldest_due_seconds: {
    words: 'Oldest overdue delivery',
    unit: 'seconds',
    limit: 300,
    runbook: 'DeliveriesOverdue',
  },
  webhook_suspect_deliveries: {
    words: 'Suspect deliveries',
    unit: '',
    limit: 0,
    runbook: 'DeliveriesSuspect',
  },
  webhook_refused_deliveries: {
    words: 'Refused deliveries',
    unit: '',
    limit: 0,
    runbook: 'DeliveriesRefusedByDatabase',
  },
};

/** The runbook of a service that does not respond. */
export const silenceRunbook = 'ServiceAbsent';

/** Whether a failure of this kind means that the service does not respond. */
export const isSilence = (kind: string): boolean =>
  kind === 'SERVICE_UNAVAILABLE' || kind === 'DEADLINE_EXCEEDED';

/** Returns the runbook of a value that needs attention; undefined: the value needs none. */
export const runbookOf = ({ name, value }: Pick<Measurement, 'name' | 'value'>) => {
  const { limit = Number.POSITIVE_INFINITY, runbook } = measurements[name] ?? {};
  return value > limit ? runbook : undefined;
};
