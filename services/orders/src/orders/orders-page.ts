import type { Position } from './cursor.ts';

/** Selects the orders of one organization for a list. */
export interface OrderFilters {
  readonly organizationId: string;
  readonly status?: string | undefined;
  readonly externalId?: string | undefined;
  /** Inclusive. */
  readonly updatedSince?: string | undefined;
}

/** The rest of a statement over `orders o`, from WHERE on. */
export interface PageStatement {
  readonly rest: string;
  readonly parameters: readonly unknown[];
}

type Made = 'ever' | 'since' | 'before';

/**
 * Reads one page by (created_at, id) descending, behind a position, so that each list is one read
 * of one index, as far as the page goes. What changed since a moment takes two, the second for what
 * the first leaves open: orders made since then, in the list's own order, and after them orders made
 * before, whose span from making to last change holds that moment. An index finds exactly these;
 * they alone are sorted, and they are as many as were alive then and have changed since.
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
  if (externalId !== undefined) return { rest: where, parameters }; // unique: one at most
  const rest =
    made === 'before'
      ? // the offset keeps the planner from walking all orders in the list's order instead
        `where o.id = any (array (
           select id from (select o.id, o.created_at from orders o ${where} offset 0) alive
           ${newestFirst('alive')} limit ${$(limit)})) ${newestFirst('o')}`
      : `${where} ${newestFirst('o')} limit ${$(limit)}`;
  return { rest, parameters };
};

/** Spelt so that no index in the list's order serves it: the one over spans finds exactly these. */
const bySpanAlone = "(o.created_at + interval '0')";

/** Conditions for orders changed since a moment, behind a position that was made at `at`. */
const changedSince: Readonly<Record<Made, (since: string, at: string) => string[]>> = {
  ever: (since) => [`o.updated_at >= ${since}`],
  since: (since) => [`o.created_at >= ${since}`],
  before: (since, at) => [
    `tstzrange(o.created_at, o.updated_at, '[]') @> tstzrange(least(${at}, ${since}), ${since}, '[]')`,
    `${bySpanAlone} < ${since}`,
  ],
};
