import { type Database, execute, fragment, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { encodePage, exportRows, type Page } from '@pto/moves';
import type { ExportRequest } from '@pto/proto/moves/v1/moves';
import { firstKeptId } from '../idempotency.ts';
import { tables } from '../schema/tables.ts';
import { readChangedOrders } from './changed-orders.ts';
import { type CopiedName, type CopyHead, copiedTables } from './copied-tables.ts';
import { type Mark, readMark } from './mark.ts';

/** Parts of a copy in their order. Files of an order that is not in the copy come with it in a later one. */
const parts = ['orders', ...(Object.keys(copiedTables) as CopiedName[]), 'moments'] as const;
type Part = (typeof parts)[number];

/** Where a page begins: a part, and the key of the last row before the page. */
interface Place {
  readonly part: Part;
  readonly after: readonly string[] | null;
}

/**
 * Reads a page of the rows of an organization that have changed since a mark, from one snapshot.
 * Not copied: messages and violations, which belong to the ledger of this cell, and events that
 * custody has not reported, of which there are none at the last copy.
 */
export const exportPage = async (
  db: Database,
  { organizationId, since, until, page }: Omit<ExportRequest, '$typeName' | '$unknown'>,
  keepMs: number,
): Promise<{ rows: Buffer; nextPage: string }> => {
  const copy = {
    organizationId,
    since: since === '' ? null : readMark(since),
    until: readMark(until),
    keepMs,
  };
  const place: Place = page === '' ? { part: 'orders', after: null } : readPlace(page);
  const { found, after } = await db.snapshot((sql) =>
    place.part === 'moments'
      ? readMoments(sql, organizationId, copy.until)
      : place.part === 'orders'
        ? readOrders(sql, copy, place)
        : readRows(sql, copy, place.part, place),
  );
  const next = after
    ? { part: place.part, after }
    : { part: parts[parts.indexOf(place.part) + 1], after: null };
  return { rows: encodePage(found), nextPage: next.part ? JSON.stringify(next) : '' };
};

interface Copy {
  readonly organizationId: string;
  readonly since: Mark | null;
  readonly until: Mark;
  readonly keepMs: number;
}

interface Read {
  readonly found: Page<CopyHead>;
  /** The place of the next page in this part; null: the part ends. */
  readonly after: readonly string[] | null;
}

const readOrders = async (
  sql: Sql,
  { organizationId, since, until }: Copy,
  { after }: Place,
): Promise<Read> => {
  const changedSince = since?.changedSince ?? null;
  const found = await readChangedOrders(sql, {
    ...{ organizationId, changedSince, createdUntil: until.createdUntil },
    afterId: after?.[0] ?? '',
  });
  if (!found)
    return { found: { head: { kind: 'orders', orderIds: [] }, rows: new Map() }, after: null };
  return { found, after: [found.head.orderIds.at(-1)!] };
};

const readRows = async (
  sql: Sql,
  copy: Copy,
  table: CopiedName,
  { after }: Place,
): Promise<Read> => {
  const { organizationId, since } = copy;
  const least = table === 'idempotency' ? { id: await firstCopiedId(sql, copy) } : {};
  const { rows, next } = await exportRows(sql, copiedTables[table], {
    ...{ organizationId, after, least },
    since: since?.transaction ?? '',
  });
  const { name } = copiedTables[table];
  return { found: { head: { kind: 'rows', table }, rows: new Map([[name, rows]]) }, after: next };
};

/**
 * Returns the lower bound of the ids of stored responses that are copied: valid ones, and not stored
 * long before the mark. The bound saves reading all responses again while the organization is held.
 */
const firstCopiedId = async (sql: Sql, { since, keepMs }: Copy): Promise<string> => {
  const marked = fragment<string>`(${since?.moment ?? null}::timestamptz - interval '10 min')`;
  const age = fragment<number>`least(${keepMs}::float8,
    extract(epoch from now() - ${marked}) * 1000)`;
  const [row] = await execute(
    sql,
    tables.selectNoFrom(fragment<string>`${firstKeptId(age)}`.as('id')),
  );
  return row!.id;
};

const readMoments = async (sql: Sql, organizationId: string, until: Mark): Promise<Read> => {
  const rows = await execute(
    sql,
    tables.selectFrom('poll_moments').select('at').where('organization_id', '=', organizationId),
  );
  const moments = [...rows.map(({ at }) => at), until.moment];
  return { found: { head: { kind: 'moments', moments }, rows: new Map() }, after: null };
};

/** @throws Failure VALIDATION for a text that is not a next_page. */
const readPlace = (text: string): Place => {
  try {
    const place = JSON.parse(text) as Place;
    if (parts.includes(place.part)) return place;
  } catch {
    // not a next_page either
  }
  throw new Failure('VALIDATION', 'page is not a next_page of this RPC.');
};
