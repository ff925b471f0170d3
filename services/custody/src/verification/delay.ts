import { overRows, type Sql } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import type { EvidenceSource } from './orders-evidence.ts';

/**
 * Returns the age in seconds of the oldest event that orders has produced and custody has not
 * stored; 0 if custody has stored all. A delay is not a violation (decision 53): custody or the bus
 * may be unavailable. Orders lists the events that custody has not reported back; custody may have
 * stored some of them.
 */
export const oldestDelaySeconds = async (sql: Sql, evidence: EvidenceSource): Promise<number> => {
  for await (const events of evidence.unreported()) {
    const stored = await storedOf(sql, events);
    const missing = events.find((event) => !stored.has(nameOf(event.orderId, event.sequence)));
    if (missing) return missing.ageMs / 1000;
  }
  return 0;
};

const selectStored = overRows({ order_id: 'uuid', sequence: 'int' }, (rows) =>
  tables
    .selectFrom(rows('g'))
    .innerJoin('entries as e', (join) =>
      join.onRef('e.order_id', '=', 'g.order_id').onRef('e.sequence', '=', 'g.sequence'),
    )
    .select(['e.order_id', 'e.sequence']),
);

const storedOf = async (
  sql: Sql,
  events: readonly { orderId: string; sequence: number }[],
): Promise<Set<string>> => {
  const rows = await selectStored(
    sql,
    events.map(({ orderId, sequence }) => ({ order_id: orderId, sequence })),
  );
  return new Set(rows.map((row) => nameOf(row.order_id, row.sequence)));
};

const nameOf = (orderId: string, sequence: number): string => `${orderId}/${sequence}`;
