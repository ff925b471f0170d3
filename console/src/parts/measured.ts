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

const ledger: Measured = { group: 'ledger', page: ['/ledger', 'Ledger'] };

/** By the name of the measurement, the first that matches; empty: a service does not respond. */
const table: readonly (readonly [name: RegExp, of: Measured])[] = [
  [/^$/, { group: 'services' }],
  [
    /^bus_(dead_letters|rejected_messages)$/,
    { group: 'messages', page: ['/dead-letters', 'Dead letters'], isCounted: true },
  ],
  [/^custody_violations_open$/, { ...ledger, isCounted: true }],
  [/^custody_/, ledger],
  [
    /^webhook_breaking_endpoints$/,
    { group: 'deliveries', page: ['/status', 'Status'], isCounted: true },
  ],
  [/^webhook_/, { group: 'deliveries' }],
  [/^/, { group: 'messages' }],
];

/** Returns the row of a measurement. */
export const measuredOf = (name: string): Measured =>
  table.find(([pattern]) => pattern.test(name))![1];
