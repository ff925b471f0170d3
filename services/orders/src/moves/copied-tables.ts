import type { CopiedTable } from '@pto/moves';

/** What a page has. */
export type CopyHead =
  /** Orders, and all rows that belong to them. */
  | { readonly kind: 'orders'; readonly orderIds: readonly string[] }
  | { readonly kind: 'rows'; readonly table: CopiedName }
  /** Moments of polls: no change gets an earlier time. */
  | { readonly kind: 'moments'; readonly moments: readonly string[] };

/** The order and its locations. */
export const ordersTable: CopiedTable = { name: 'orders', key: { id: 'uuid' } };

/** Tables whose rows are copied by themselves. */
export const copiedTables = {
  locations: { name: 'locations', key: { id: 'uuid' } },
  idempotency: { name: 'idempotency', key: { route: 'text', key: 'text', id: 'uuid' } },
  done_commands: { name: 'done_commands', key: { id: 'uuid' } },
  // those of a changed order are replaced with it; files are stored before the change of the order
  artifacts: {
    name: 'artifacts',
    key: { order_id: 'uuid', sha256: 'text' },
    parent: { name: 'orders', column: 'order_id' },
  },
} as const satisfies Readonly<Record<string, CopiedTable>>;

export type CopiedName = keyof typeof copiedTables;

/** Tables of an order's rows: those in the target become those of the page. */
export const replacedTables: readonly CopiedTable[] = [
  {
    name: 'disclosures',
    key: { order_id: 'uuid', sequence: 'int', field: 'text' },
    neverChanged: true,
  },
  { name: 'entry_operators', key: { order_id: 'uuid', sequence: 'int' } },
  copiedTables.artifacts,
  copiedTables.done_commands,
];

/** Evidence that is only added. */
export const producedTable: CopiedTable = {
  name: 'produced_events',
  key: { order_id: 'uuid', sequence: 'int' },
  neverChanged: true,
};
