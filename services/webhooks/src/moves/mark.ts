import { type Database, execute, firstUuidv7Sql, fragment } from '@pto/database';
import { invalid } from '@pto/errors';
import { takeMark } from '@pto/moves';
import { tables } from '../schema/entities.ts';

/**
 * Where a copy ends, and the next one begins. The bounds save reading 30 days of rows again while the
 * organization is held.
 */
export interface Mark {
  /** Mark of @pto/moves. */
  readonly transaction: string;
  /** No event with a smaller id is added later. */
  readonly events: string;
  /** No delivery with a smaller id is added or changed later, and none gets an attempt. */
  readonly deliveries: string;
}

/** Takes a mark, all of it from one snapshot: a delivery changes only while it is queued. */
export const mark = (db: Database, organizationId: string): Promise<string> =>
  db.snapshot(async (sql) => {
    const transaction = await takeMark(sql);
    // the time of a new id is that of a dispatcher, whose clock may be behind
    const now = firstUuidv7Sql(fragment<string>`(now() - interval '10 min')`);
    const [row] = await execute(
      sql,
      tables.selectNoFrom(({ selectFrom }) => {
        const oldest = (table: 'pending_deliveries' | 'quarantined_deliveries') =>
          selectFrom(table)
            .select('delivery_id')
            .where('organization_id', '=', organizationId)
            .orderBy('delivery_id')
            .limit(1);
        return [
          fragment<string>`${now}`.as('events'),
          fragment<string>`least(${now}, ${oldest('pending_deliveries')},
            ${oldest('quarantined_deliveries')})`.as('deliveries'),
        ];
      }),
    );
    return JSON.stringify({ transaction, ...row! } satisfies Mark);
  });

/** @throws Failure VALIDATION for a text that is not one of `mark`. */
export const readMark = (text: string): Mark => {
  try {
    const { transaction, events, deliveries } = JSON.parse(text) as Mark;
    if (transaction && events && deliveries) return { transaction, events, deliveries };
  } catch {
    // not a mark either
  }
  throw invalid(['since'], 'is not a mark of the webhooks service', text);
};
