import { type Database, execute, fragment, isoMillis, type Sql } from '@pto/database';
import { type Endpoint, tables } from '../schema/entities.ts';

/** Returns host and path of a URL. The query is left out: some receivers have a secret there. */
export const addressOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return host + pathname;
};

/** Stores what stays of an endpoint, in the transaction that deletes it (decision 80). */
export const storeDeleted = async (
  sql: Sql,
  { organization_id, id, url, event_filter, created_at }: Endpoint,
): Promise<void> => {
  const stays = { organization_id, id, address: addressOf(url), event_filter, created_at };
  await execute(sql, tables.insertInto('deleted_endpoints').values(stays));
};

/** Deletes what stayed of endpoints whose last deliveries have expired. @param days of a delivery. */
export const expireDeleted = async (db: Database, days: number): Promise<void> => {
  await execute(
    db,
    tables
      .deleteFrom('deleted_endpoints')
      // a day is dropped when it has ended for all its deliveries
      .where('deleted_at', '<', fragment<string>`now() - ${days + 1} * interval '1 day'`),
  );
};

/** How deliveries name their endpoint. */
export interface EndpointAddress {
  /** Host and path. */
  readonly address: string;
  /** Empty: the endpoint exists. */
  readonly deletedAt: string;
}

/** Returns the addresses of an organization's endpoints, by their ids. @param ids UUIDs. */
export const readAddresses = async (
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, EndpointAddress>> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('endpoints')
      .select(['id', 'url', fragment<string | null>`null::timestamptz`.as('deleted_at')])
      .where('organization_id', '=', organizationId)
      .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...ids]))))
      .unionAll(({ selectFrom }) =>
        selectFrom('deleted_endpoints')
          .select(['id', 'address as url', 'deleted_at'])
          .where('organization_id', '=', organizationId)
          .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...ids])))),
      ),
  );
  return new Map(
    rows.map(({ id, url, deleted_at: at }) => [
      id,
      at === null
        ? { address: addressOf(url), deletedAt: '' }
        : { address: url, deletedAt: isoMillis(at) },
    ]),
  );
};
