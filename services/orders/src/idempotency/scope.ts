/**
 * Idempotency of creations (contract 4.2.1, decisions 22 to 26). The transaction that creates an
 * order also inserts the row with the response. So an order and its stored response exist together,
 * and the rollback of a failed creation leaves the key unused.
 */
import {
  clockTimestamp,
  type Expression,
  firstUuidv7Sql,
  fragment,
  insertRows,
  overRows,
  type Transaction,
  uuidv7Sql,
} from '@pto/database';
import type { Idempotency } from '@pto/proto/orders/v1/orders';
import { tables } from '../schema/orders-database.ts';

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

/** The columns by which stored responses are found. */
export const keyTypes = { organization_id: 'uuid', route: 'text', key: 'text' } as const;

export const keyOf = ({ organizationId, idempotency: { route, key } }: IdempotencyScope) => ({
  organization_id: organizationId,
  route,
  key,
});

/**
 * Returns the name of an idempotency key's advisory lock. PostgreSQL locks the hash of this name.
 */
export const keyName = ({
  organizationId,
  idempotency: { route, key },
}: Pick<IdempotencyScope, 'organizationId' | 'idempotency'>): string =>
  [organizationId, route, key].join('\n');

const insertResponses = overRows({ ...keyTypes, body_sha256: 'bytea', answer: 'bytea' }, (rows) =>
  insertRows(tables, 'idempotency', tables.selectFrom(rows('r')), ({ ref }) => ({
    id: uuidv7Sql(clockTimestamp),
    organization_id: ref('r.organization_id'),
    route: ref('r.route'),
    key: ref('r.key'),
    body_sha256: ref('r.body_sha256'),
    answer: ref('r.answer'),
  })),
);

/** Stores responses under the keys that this transaction has claimed. */
export const storeResponses = async (
  tx: Transaction,
  responses: readonly { readonly scope: IdempotencyScope; readonly body: Uint8Array }[],
): Promise<void> => {
  if (responses.length === 0) return;
  const rows = responses.map(({ scope, body }) => ({
    ...keyOf(scope),
    body_sha256: scope.idempotency.bodySha256,
    answer: body,
  }));
  await insertResponses(tx.pipelined, rows);
};
