/** Where each measurement stands on Status, and the page that lists what it counts. */

/** The groups of Status: what it says if all of it works, and if not. */
export const groups = {
  services: ['Every service answers.', 'A service does not answer.'],
  messages: [
    'Messages are published and read in time, and none is parked.',
    'Messages are parked, rejected or late.',
  ],
  ledger: [
    'The ledger is audited and anchored in time, and no violation is open.',
    'The ledger has a violation, or its audits or anchors are late.',
  ],
  deliveries: ['Deliveries are attempted in time.', 'Deliveries are late, suspect or refused.'],
} as const;
export type Group = keyof typeof groups;

type Page = readonly [path: string, name: string];

interface Measured {
  readonly group: Group;
  readonly page?: Page;
  /** Whether the navigation counts it at its page. */
  readonly isCounted?: true;
}

const deadLetters: Page = ['/dead-letters', 'Dead letters'];
const ledger: Measured = { group: 'ledger', page: ['/ledger', 'Ledger'] };
const messages: Measured = { group: 'messages' };
const deliveries: Measured = { group: 'deliveries' };

const measured: Readonly<Record<string, Measured>> = {
  '': { group: 'services' },
  outbox_unsent: messages,
  outbox_oldest_unsent_seconds: messages,
  bus_consumer_lag: messages,
  bus_dead_letters: { ...messages, page: deadLetters, isCounted: true },
  bus_rejected_messages: { ...messages, page: deadLetters, isCounted: true },
  custody_violations_open: { ...ledger, isCounted: true },
  custody_last_audit_seconds: ledger,
  custody_last_audit_violations: ledger,
  custody_last_full_audit_seconds: ledger,
  custody_last_full_audit_violations: ledger,
  custody_log_checkpoint_age_seconds: ledger,
  custody_log_anchor_age_seconds: ledger,
  custody_log_unanchored_seconds: ledger,
  custody_log_halted: ledger,
  custody_witness_behind_seconds: ledger,
  webhook_pending_deliveries: deliveries,
  webhook_breaking_endpoints: { ...deliveries, page: ['/status', 'Status'], isCounted: true },
  webhook_oldest_due_seconds: deliveries,
  webhook_suspect_deliveries: deliveries,
  webhook_refused_deliveries: deliveries,
};

/** The row of a measurement; empty: that of a service that does not respond. */
export const measuredOf = (name: string): Measured => measured[name] ?? messages;
