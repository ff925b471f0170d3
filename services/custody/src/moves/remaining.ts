import { fragment, type Given, type Sql, statement } from '@pto/database';
import { custodyEventsTopic } from '@pto/proto/topics';
import { tables } from '../schema/ledger-database.ts';
import { queuedOf } from './stored-entries.ts';

type OfOrganization = { organizationId: string };

const selectUnsent = statement((given: Given<OfOrganization>) =>
  tables.selectNoFrom(({ fn }) => {
    // the keys of other topics are no ids of orders
    const orderId = fragment<string>`case when o.topic = ${fragment.lit(custodyEventsTopic)}
      then o.key::uuid end`;
    const unsent = tables
      .selectFrom('outbox as o')
      .innerJoin('chains as c', (join) => join.on('c.order_id', '=', orderId))
      .where('o.sent_at', 'is', null)
      .where('c.organization_id', '=', given.organizationId);
    return [
      queuedOf(given).select(fn.countAll<string>().as('count')).as('queued'),
      unsent.select(fn.countAll<string>().as('count')).as('unsent'),
    ];
  }),
);

/**
 * Counts what the source has to end before the last copy: entries that are queued for the log, and
 * custody events that are not sent.
 */
export const remainingToSend = async (sql: Sql, organizationId: string): Promise<number> => {
  const [count] = await selectUnsent(sql, { organizationId });
  return Number(count!.queued) + Number(count!.unsent);
};

const selectUnanchored = statement((given: Given<OfOrganization>) =>
  tables
    .selectFrom('log_state as s')
    .select(({ fn, selectFrom }) => [
      queuedOf(given).select(fn.countAll<string>().as('count')).as('queued'),
      selectFrom('log_leaves as l')
        .where('l.organization_id', '=', given.organizationId)
        .whereRef('l.leaf_index', '>=', 's.anchored_size')
        .select(fn.countAll<string>().as('count'))
        .as('uncovered'),
    ]),
);

/**
 * Counts the organization's entries that have no leaf, or a leaf that no anchored checkpoint covers.
 */
export const remainingToAnchor = async (sql: Sql, organizationId: string): Promise<number> => {
  const [count] = await selectUnanchored(sql, { organizationId });
  return Number(count!.queued) + Number(count!.uncovered);
};
