/** What StatusService measures: each metric in words, and when people should look at it. */
export interface Measured {
  /** Such as `Messages that are not published`. */
  readonly words: string;
  readonly unit: '' | 'seconds';
  /** A greater value needs attention. The alerts also look at how long (deploy/helm/partner-api/rules). */
  readonly limit?: number;
  /** Worth showing with the value 0, too: the result of a check. */
  readonly isResult?: true;
}

const day = 86_400;

export const measurements: Readonly<Record<string, Measured>> = {
  outbox_unsent: { words: 'Messages that are not published', unit: '' },
  outbox_oldest_unsent_seconds: { words: 'Oldest unpublished message', unit: 'seconds', limit: 60 },
  bus_consumer_lag: { words: 'Messages that wait to be read', unit: '', limit: 5000 },
  bus_dead_letters: { words: 'Dead letters', unit: '', limit: 0 },
  custody_violations_open: { words: 'Open integrity violations', unit: '', limit: 0 },
  custody_last_audit_seconds: { words: 'Last audit of new entries', unit: 'seconds', limit: 900 },
  custody_last_audit_violations: { words: 'Violations that it found', unit: '', isResult: true },
  custody_last_full_audit_seconds: {
    words: 'Last audit of all entries',
    unit: 'seconds',
    limit: 14 * day,
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
  },
  custody_log_halted: { words: 'The log is halted', unit: '', limit: 0 },
  custody_witness_behind_seconds: { words: 'Witness behind, for', unit: 'seconds', limit: 900 },
  webhook_pending_deliveries: { words: 'Deliveries under way', unit: '' },
  webhook_oldest_due_seconds: { words: 'Oldest overdue delivery', unit: 'seconds', limit: 300 },
  webhook_suspect_deliveries: { words: 'Suspect deliveries', unit: '', limit: 0 },
  webhook_refused_deliveries: { words: 'Refused deliveries', unit: '', limit: 0 },
};
