/**
 * Idempotency of creations (contract 4.2.1, decisions 22 to 26). The transaction that creates an
 * order also inserts the row with the response. So an order and its stored response exist together,
 * and the rollback of a failed creation leaves the key unused.
 */
import {
  type ArrayOf,
  type Expression,
  firstUuidv7Sql,
  fragment,
  textArray,
  uuidArray,
} from '@pto/database';
import type { Idempotency } from '@pto/proto/orders/v1/orders';

export interface IdempotencyScope {
  readonly organizationId: string;
  readonly idempotency: Pick<Idempotency, 'key' | 'route' | 'bodySha256'>;
  /**
   * Milliseconds for which a response is stored: ORDERS_IDEMPOTENCY_KEEP (config.ts), a day by
   * default.
   */
  readonly keepMs: number;
}

/** Returns the number of days after which a partition contains only expired responses. */
export const daysKept = (keepMs: number): number => Math.ceil(keepMs / 86_400_000);

/**
 * Returns the lower bound of the ids of stored responses that have not expired. The database's
 * clock gives both the ids and this bound, so the clock of a replica does not matter. The bound
 * lets PostgreSQL skip the partitions of earlier days.
 * @param keepMs the milliseconds for which a response is stored.
 */
export const firstKeptId = (keepMs: Expression<number>): Expression<string> =>
  firstUuidv7Sql(fragment<string>`now() - ${keepMs}::float8 * interval '1 ms'`);

/** The idempotency keys of several requests, as array parameters of a statement. */
export interface Keys {
  readonly organization_id: ArrayOf<string>;
  readonly route: ArrayOf<string>;
  readonly key: ArrayOf<string>;
}

export const keyTypes = { organization_id: 'uuid', route: 'text', key: 'text' } as const;

export const keysOf = (scopes: readonly IdempotencyScope[]): Keys => ({
  organization_id: uuidArray(scopes.map(({ organizationId }) => organizationId)),
  route: textArray(scopes.map(({ idempotency }) => idempotency.route)),
  key: textArray(scopes.map(({ idempotency }) => idempotency.key)),
});

/**
 * Returns the name of an idempotency key's advisory lock. PostgreSQL locks the hash of this name.
 */
export const keyName = ({
  organizationId,
  idempotency: { route, key },
}: Pick<IdempotencyScope, 'organizationId' | 'idempotency'>): string =>
  [organizationId, route, key].join('\n');
