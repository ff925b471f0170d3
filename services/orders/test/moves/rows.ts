import { asOwner, type OrdersUnderTest } from '../orders-service.ts';

const tables = [
  ...['orders', 'locations', 'idempotency', 'done_commands', 'poll_moments', 'produced_events'],
  ...['disclosures', 'entry_operators', 'artifacts', 'unreported_events', 'moved_orders'],
] as const;

export type RowsByTable = Readonly<Record<(typeof tables)[number], readonly string[]>>;

/** Returns all rows of an organization as PostgreSQL prints them, sorted. */
export const rowsOf = async (
  { database }: Pick<OrdersUnderTest, 'database'>,
  organizationId: string,
): Promise<RowsByTable> => {
  const found: Partial<Record<(typeof tables)[number], readonly string[]>> = {};
  await asOwner(database, async (owner) => {
    for (const table of tables) {
      const { rows } = await owner.query<{ text: string }>(
        `select t::text as text from ${table} t where organization_id = $1`,
        [organizationId],
      );
      found[table] = rows.map(({ text }) => text).sort();
    }
  });
  return found as RowsByTable;
};
