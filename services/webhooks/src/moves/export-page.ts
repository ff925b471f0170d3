import type { Database, Sql } from '@pto/database';
import { invalid } from '@pto/errors';
import { type CopiedTable, encodePage, exportRows } from '@pto/moves';
import { type CopyHead, endpointParts, endpointsTable, history, lists } from './copied-tables.ts';
import { type Mark, readMark } from './mark.ts';

/** All tables in the order of a copy: the queue after what its deliveries need. */
const order: readonly CopiedTable[] = [...history, endpointsTable, ...lists];

/** Where a page begins: the table, and the key of the last row of the page before. */
interface Place {
  readonly of: string;
  readonly after: readonly string[] | null;
}

/**
 * Reads a page of an organization's rows.
 * @param since a mark; limits the history to rows that were added or changed since.
 * @param page `nextPage` of the page before; empty: the first one.
 * @throws Failure VALIDATION for an unknown page.
 */
export const exportPage = async (
  db: Database,
  { organizationId, since, page }: { organizationId: string; since: string; page: string },
): Promise<{ rows: Uint8Array; nextPage: string }> => {
  const place = page === '' ? { of: order[0]!.name, after: null } : parsePlace(page);
  const n = order.findIndex(({ name }) => name === place.of);
  const table = order[n];
  if (!table) throw invalid(['page'], 'is not a page of Export', page);
  const following = order[n + 1];
  const nextTable = following ? JSON.stringify({ of: following.name, after: null }) : '';
  if (table === endpointsTable) {
    const rows = await db.snapshot((sql) => readEndpoints(sql, organizationId));
    return { rows: pageOf({ of: table.name, isFirst: true }, rows), nextPage: nextTable };
  }
  const { after } = place;
  const mark = since !== '' && history.includes(table) ? readMark(since) : null;
  const read = await exportRows(db, table, {
    ...{ organizationId, since: mark?.transaction ?? '', after },
    least: mark ? leastIn(table, mark) : {},
  });
  const rows = new Map([[table.name, read.rows]]);
  return {
    rows: pageOf({ of: table.name, isFirst: after === null }, rows),
    nextPage: read.next ? JSON.stringify({ of: table.name, after: read.next }) : nextTable,
  };
};

/** Returns the least id that a row of the history may have if it was added or changed after a mark. */
const leastIn = ({ name }: CopiedTable, mark: Mark): Readonly<Record<string, string>> => {
  if (name === 'events') return { id: mark.events };
  if (name === 'deliveries') return { id: mark.deliveries };
  return name === 'attempts' ? { delivery_id: mark.deliveries } : {};
};

const pageOf = (head: CopyHead, rows: ReadonlyMap<string, string>): Buffer =>
  encodePage({ head, rows });

/** Reads all rows of the endpoints, of which an organization has at most 20. */
const readEndpoints = async (sql: Sql, organizationId: string): Promise<Map<string, string>> => {
  const rows = new Map<string, string>();
  for (const table of [endpointsTable, ...endpointParts]) {
    const pages: string[] = [];
    for (let after: readonly string[] | null = null; ; ) {
      const page = await exportRows(sql, table, { organizationId, since: '', after });
      if (page.count > 0) pages.push(page.rows.slice(1, -1));
      if (page.next === null) break;
      after = page.next;
    }
    rows.set(table.name, `[${pages.join(',')}]`);
  }
  return rows;
};

const parsePlace = (page: string): Place => {
  try {
    return JSON.parse(page) as Place;
  } catch {
    throw invalid(['page'], 'is not a page of Export', page);
  }
};
