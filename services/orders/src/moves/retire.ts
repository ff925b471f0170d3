import { type Database, execute, fragment, type Transaction } from '@pto/database';
import { deleteRows, type Held, requireHeld } from '@pto/moves';
import { Level } from '@pto/proto/moves/v1/moves';
import { tables } from '../schema/tables.ts';

const batch = 1000;

/** Tables whose rows refer to orders, or are found without them. */
const beforeOrders = [
  'artifacts',
  'disclosures',
  'entry_operators',
  'done_commands',
  'idempotency',
];

/**
 * Deletes some rows of an organization that is held. The evidence of its orders stays in
 * `moved_orders` and `produced_events`, and violations stay: the ledger of this cell keeps the
 * entries. Files of artifacts stay, since the other cell has their rows.
 * @returns whether rows are left.
 * @throws Failure ILLEGAL_TRANSITION unless this token holds the organization and rejects changes.
 */
export const retire = (db: Database, held: Held): Promise<boolean> =>
  db.transaction(async (tx) => {
    const level = await requireHeld(tx, held, Level.WRITES);
    const { organizationId } = held;
    if (await deleteRows(tx, beforeOrders, organizationId)) return true;
    if (await retireOrders(tx, organizationId, level === Level.ARRIVING)) return true;
    return deleteRows(tx, ['locations', 'poll_moments'], organizationId);
  });

/**
 * @param isPartial whether the move here was canceled: this ledger may have fewer entries than the
 *   source has reported, so the source's heads are no evidence. Those of an earlier stay are.
 */
const retireOrders = async (
  tx: Transaction,
  organizationId: string,
  isPartial: boolean,
): Promise<boolean> => {
  const retired = tables
    .with('gone', (db) =>
      db
        .deleteFrom('orders')
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('orders')
            .select('id')
            .where('organization_id', '=', organizationId)
            .orderBy('id')
            .limit(batch),
        )
        .returningAll(),
    )
    .with('evidence', (db) =>
      db
        .insertInto('moved_orders')
        .columns([
          ...(['organization_id', 'order_id', 'status', 'sequence'] as const),
          ...(['custody_sequence', 'custody_head_hash'] as const),
        ])
        .expression((eb) =>
          eb
            .selectFrom('gone')
            .select(['organization_id', 'id', 'status', 'sequence'])
            .select(({ ref }) => [
              fragment<number>`case when ${isPartial} then 0
                else ${ref('custody_sequence')} end`.as('custody_sequence'),
              fragment<string>`case when ${isPartial} then ''
                else ${ref('custody_head_hash')} end`.as('custody_head_hash'),
            ])
            // the ledger has no entry of a draft
            .where('sequence', '>', 0),
        )
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'order_id']).doUpdateSet(({ ref }) => ({
            status: ref('excluded.status'),
            sequence: ref('excluded.sequence'),
            ...(!isPartial && {
              custody_sequence: ref('excluded.custody_sequence'),
              custody_head_hash: ref('excluded.custody_head_hash'),
            }),
          })),
        ),
    )
    .selectFrom('gone')
    .select(fragment<number>`count(*)::int`.as('count'));
  const [row] = await execute(tx, retired);
  return row!.count > 0;
};
