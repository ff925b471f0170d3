import type { Position } from './cursor.ts';

/** Selects the orders of one organization for a list. */
export interface OrderFilters {
  readonly organizationId: string;
  readonly status?: string | undefined;
  readonly externalId?: string | undefined;
  /** Lower bound of updated_at, inclusive. */
  readonly updatedSince?: string | undefined;
}

/** The part of a statement over `orders o` that begins with WHERE. */
export interface PageStatement {
  readonly rest: string;
  readonly parameters: readonly unknown[];
}

type Made = 'ever' | 'since' | 'before';

/**
 * Returns the statements that read one page by (created_at, id) descending, after a position. A
 * list is one read of one index. A list by `updatedSince` has two statements, the second for the
 * rest of the page: orders created since then, in the order of the list's index, and then orders
 * created before whose span from creation to last change contains that moment. An index finds
 * exactly these; only these are sorted.
 */
export const pageStatements = (
  filters: OrderFilters,
  after: Position | undefined,
): ((limit: number) => PageStatement)[] => {
  const halves = filters.updatedSince !== undefined && filters.externalId === undefined;
  const parts: readonly Made[] = halves ? ['since', 'before'] : ['ever'];
  return parts.map((made) => (limit) => statement(filters, after, made, limit));
};

const newestFirst = (table: string): string =>
  `order by ${table}.created_at desc, ${table}.id desc`;

const statement = (
  { organizationId, status, externalId, updatedSince }: OrderFilters,
  after: Position | undefined,
  made: Made,
  limit: number,
): PageStatement => {
  const parameters: unknown[] = [];
  const $ = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [`o.organization_id = ${$(organizationId)}`];
  if (status !== undefined) conditions.push(`o.status = ${$(status)}`);
  if (externalId !== undefined) conditions.push(`o.external_id = ${$(externalId)}`);
  const at = after && `${$(after.createdAt)}::timestamptz`;
  if (updatedSince !== undefined) {
    const since = `${$(updatedSince)}::timestamptz`;
    conditions.push(...changedSince[made](since, at ?? since));
  }
  const createdAt = made === 'before' ? bySpanAlone : 'o.created_at';
  if (after) conditions.push(`(${createdAt}, o.id) < (${at}, ${$(after.id)})`);
  const where = `where ${conditions.join(' and ')}`;
  if (externalId !== undefined) return { rest: where, parameters }; // unique: at most one row
  const rest =
    made === 'before'
      ? // `offset 0` prevents a plan that reads all orders in the list's order
        `where o.id = any (array (
           select id from (select o.id, o.created_at from orders o ${where} offset 0) alive
           ${newestFirst('alive')} limit ${$(limit)})) ${newestFirst('o')}`
      : `${where} ${newestFirst('o')} limit ${$(limit)}`;
  return { rest, parameters };
};

/**
 * An expression that no index in the list's order matches, so that PostgreSQL uses the index over
 * spans.
 */
const bySpanAlone = "(o.created_at + interval '0')";

/**
 * Returns the conditions for orders changed since a moment, after a position that was created at
 * `at`.
 */
const changedSince: Readonly<Record<Made, (since: string, at: string) => string[]>> = {
  ever: (since) => [`o.updated_at >= ${since}`],
  since: (since) => [`o.created_at >= ${since}`],
  before: (since, at) => [
    `tstzrange(o.created_at, o.updated_at, '[]') @> tstzrange(least(${at}, ${since}), ${since}, '[]')`,
    `${bySpanAlone} < ${since}`,
  ],
};
