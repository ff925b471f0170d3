import { createBatches } from '@pto/concurrency';
import { organizationHeld, overRows, type Sql } from '@pto/database';
import { levels } from '@pto/moves';
import { tables } from './schema/tables.ts';

/** Rejects early what `beginChange` would reject. @throws Failure ORGANIZATION_HELD */
export type RequireNotHeld = (organizationId: string) => Promise<void>;

const selectHeld = overRows({ organization_id: 'uuid' }, (rows) =>
  tables
    .selectFrom(rows('requested'))
    .innerJoin('held_organizations as h', 'h.organization_id', 'requested.organization_id')
    .select('h.organization_id as organizationId')
    .where('h.level', '>=', levels.held),
);

/**
 * Returns a function for work outside of the database that precedes a change, such as geocoding: the
 * caller of a held organization repeats its call every 100 ms. Concurrent calls share a statement.
 */
export const sharedRequireNotHeld = (sql: Sql): RequireNotHeld => {
  const isHeld = createBatches<string, boolean>(
    async (ids) => {
      const rows = await selectHeld(
        sql,
        [...new Set(ids)].map((id) => ({ organization_id: id })),
      );
      const held = new Set(rows.map(({ organizationId }) => organizationId));
      return (id) => held.has(id.toLowerCase());
    },
    { inFlightMax: 2, batchMax: 32 },
  );
  return async (organizationId) => {
    if (await isHeld(organizationId)) throw organizationHeld();
  };
};
