import { Failure } from '@pto/errors';
import type { CopiedTable } from '@pto/moves';

/** Rows of a table, a JSON array as PostgreSQL prints it. */
export type Rows = Readonly<Record<string, string>>;

/** A page of a copy. The texts of rows are never parsed here: numbers and JSON stay as they are. */
export type Page =
  | {
      readonly kind: 'orders';
      readonly orderIds: readonly string[];
      /** The orders, and all rows that belong to them. */
      readonly rows: Rows;
    }
  | { readonly kind: 'rows'; readonly table: CopiedName; readonly rows: string }
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
  artifacts: { name: 'artifacts', key: { order_id: 'uuid', sha256: 'text' } },
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

export const writePage = (page: Page): Buffer => Buffer.from(JSON.stringify(page));

/** @throws Failure VALIDATION for bytes that are not a page. */
export const readPage = (bytes: Uint8Array): Page => {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new Failure('VALIDATION', 'These rows are not a page of the orders service.');
  }
};
