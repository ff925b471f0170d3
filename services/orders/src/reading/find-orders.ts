import { execute, fragment, isoMillis, leastUuid, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';

/** Maximum number of orders that one search returns. */
const foundMax = 100;

/** An order that a search has found. */
export interface FoundOrder {
  readonly id: string;
  readonly organizationId: string;
  readonly status: string;
  readonly createdAt: string;
}

/**
 * Selects the orders of all organizations that have this external_id. The index of external ids
 * begins with the organization; the statement steps from organization to organization, so that no
 * further index costs each creation.
 */
export const ordersWithReference = (externalId: string) =>
  tables
    .withRecursive('organizations(id)', (db) =>
      db.selectNoFrom(fragment<string>`${leastUuid}::uuid`.as('id')).unionAll(
        db
          .selectFrom('organizations as n')
          .innerJoinLateral(
            (eb) =>
              eb
                .selectFrom('orders as o')
                .select('o.organization_id')
                .whereRef('o.organization_id', '>', 'n.id')
                .orderBy('o.organization_id')
                .limit(fragment.lit(1))
                .as('next'),
            (join) => join.onTrue(),
          )
          .select('next.organization_id as id'),
      ),
    )
    .selectFrom('organizations as n')
    .innerJoin('orders as o', (join) =>
      join.onRef('o.organization_id', '=', 'n.id').on('o.external_id', '=', externalId),
    )
    .select(['o.id', 'o.organization_id', 'o.status', 'o.created_at'])
    .orderBy('o.organization_id')
    .limit(foundMax);

/** Returns the orders of `ordersWithReference`, at most 100, by organization. */
export const findOrders = async (sql: Sql, externalId: string): Promise<FoundOrder[]> => {
  const rows = await execute(sql, ordersWithReference(externalId));
  return rows.map(({ id, organization_id: organizationId, status, created_at }) => ({
    id,
    organizationId,
    status,
    createdAt: isoMillis(created_at),
  }));
};
