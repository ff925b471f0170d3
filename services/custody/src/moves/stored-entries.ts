/**
 * Reads an organization's entries by their numbers in its feed. An entry that is queued for the log
 * has the number that the sequencer will give it: those of an organization that arrives are queued
 * in the order of their numbers, one page after the other.
 */
import { fragment, type Given, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import { copiedColumns, type NumberedEntry } from './page.ts';

type OfOrganization = { organizationId: string };

/** The number of the organization's newest leaf; null before the first. */
const headOf = ({ organizationId }: Given<OfOrganization>) =>
  tables.selectFrom('feed_heads').select('number').where('organization_id', '=', organizationId);

/** The organization's entries that are queued for the log. */
export const queuedOf = ({ organizationId }: Given<OfOrganization>) =>
  tables
    .selectFrom('log_queue as q')
    .innerJoin('chains as c', 'c.order_id', 'q.order_id')
    .where('c.organization_id', '=', organizationId);

const selectHead = statement((given: Given<OfOrganization>) => headOf(given));

/** Returns the number of the organization's newest leaf; 0 before the first. */
export const newestNumber = async (sql: Sql, organizationId: string): Promise<number> => {
  const [head] = await selectHead(sql, { organizationId });
  return Number(head?.number ?? 0);
};

const selectCount = statement((given: Given<OfOrganization>) =>
  tables.selectNoFrom(({ fn }) => [
    headOf(given).as('placed'),
    queuedOf(given).select(fn.countAll<string>().as('count')).as('queued'),
  ]),
);

/** Counts the organization's entries, with and without a leaf, in one snapshot. */
export const countEntries = async (sql: Sql, organizationId: string): Promise<number> => {
  const [count] = await selectCount(sql, { organizationId });
  return Number(count!.placed ?? 0) + Number(count!.queued);
};

/** A span of numbers, both ends included. */
interface Span {
  readonly organizationId: string;
  readonly first: string;
  readonly last: string;
}

const leavesOf = (given: Given<Span>) =>
  tables
    .selectFrom('log_leaves')
    .select(['order_id', 'sequence', 'number'])
    .where('organization_id', '=', given.organizationId)
    .where('number', '>=', given.first)
    .where('number', '<=', given.last);

const entryOf = copiedColumns.map((column) => `e.${column}` as const);

const selectStored = statement((given: Given<Span>) => {
  const queued = queuedOf(given).select(({ fn }) => [
    'q.order_id',
    'q.sequence',
    fragment<string>`coalesce(${headOf(given)}, 0)
      + ${fn.agg('row_number').over((over) => over.orderBy('q.id'))}`.as('number'),
  ]);
  const waiting = tables
    .selectFrom(queued.as('w'))
    .selectAll()
    .where('w.number', '>=', given.first)
    .where('w.number', '<=', given.last);
  return tables
    .selectFrom(leavesOf(given).unionAll(waiting).as('n'))
    .innerJoin('entries as e', (join) =>
      join.onRef('e.order_id', '=', 'n.order_id').onRef('e.sequence', '=', 'n.sequence'),
    )
    .select(['n.number', ...entryOf])
    .orderBy('n.number');
});

/** Reads the stored entries with numbers from `first` to `last`, with and without a leaf. */
export const storedEntries = async (
  sql: Sql,
  organizationId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<NumberedEntry[]> => {
  const rows = await selectStored(sql, { organizationId, first: `${first}`, last: `${last}` });
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
};

/** Greatest number of entries that one statement reads. */
const pageRows = 1000;

/** The leaves of a span, up to `bytes` of hashed texts before the last one. */
const selectPlaced = statement((given: Given<Span & { bytes: string }>) => {
  const read = tables
    .selectFrom(leavesOf(given).orderBy('number').limit(fragment.lit(pageRows)).as('l'))
    .leftJoin('entries as e', (join) =>
      join.onRef('e.order_id', '=', 'l.order_id').onRef('e.sequence', '=', 'l.sequence'),
    )
    .select(['l.number', ...entryOf])
    .select(
      fragment<string>`coalesce(sum(octet_length(e.canonical_text))
        over (order by l.number rows between unbounded preceding and 1 preceding), 0)`.as('before'),
    );
  return tables
    .selectFrom(read.as('r'))
    .select(['r.number', ...copiedColumns.map((column) => `r.${column}` as const)])
    .where('r.before', '<', given.bytes)
    .orderBy('r.number');
});

/**
 * Reads entries that have a leaf, from the number `first` on. An entry that the ledger has lost has
 * nulls.
 * @param bytes about how many bytes of texts are read at most.
 */
export const placedEntries = async (
  sql: Sql,
  organizationId: string,
  { first, last, bytes }: { readonly first: number; readonly last: number; readonly bytes: number },
): Promise<{ readonly number: number; readonly entry: NumberedEntry | null }[]> => {
  const span = { organizationId, first: `${first}`, last: `${last}`, bytes: `${bytes}` };
  const rows = await selectPlaced(sql, span);
  return rows.map((row) => {
    const number = Number(row.number);
    return { number, entry: row.id === null ? null : ({ ...row, number } as NumberedEntry) };
  });
};
