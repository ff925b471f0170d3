import { defineEntity, p } from '@mikro-orm/core';
import { execute, type Transaction, tablesOf } from '@pto/database';

/** An organization, and the token of the try of a move. */
export interface Held {
  readonly organizationId: string;
  readonly token: bigint;
}

/**
 * Statements for a service's migration: per organization, the greatest token whose hold was
 * released. A table of its own, because the release before takes each row of `held_organizations`
 * for a hold.
 */
export const moveFencesTable: readonly string[] = [
  `create table move_fences (
    organization_id uuid primary key,
    -- no try with this token or a lower one holds the organization again
    token bigint not null
  )`,
];

export const MoveFenceEntity = defineEntity({
  name: 'MoveFence',
  tableName: 'move_fences',
  properties: {
    organizationId: p.uuid().primary(),
    token: p.bigint('string'),
  },
});

const tables = tablesOf([MoveFenceEntity]);

/**
 * Raises the fence of an organization to a token, unless it is higher. The row stays locked until the
 * transaction ends, so that holds and releases of an organization follow each other.
 * @returns the token of the fence.
 */
export const raiseFence = async (
  tx: Transaction,
  { organizationId, token }: Held,
): Promise<bigint> => {
  const raise = tables
    .insertInto('move_fences')
    .values({ organization_id: organizationId, token: `${token}` })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet(({ fn, ref }) => ({
        token: fn<string>('greatest', [ref('move_fences.token'), ref('excluded.token')]),
      })),
    )
    .returning('token');
  const [fence] = await execute(tx, raise);
  return BigInt(fence!.token);
};
