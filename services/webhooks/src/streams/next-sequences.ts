import type { Transaction } from '@pto/database';

/**
 * Takes the next numbers of endpoints' streams. A rollback returns the numbers, so a stream has no
 * gaps. The streams stay locked until the transaction ends.
 * @param counts how many numbers each endpoint needs, by endpoint id.
 * @returns the first number of each endpoint; a deleted endpoint is absent.
 */
export const nextSequences = async (
  tx: Transaction,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> => {
  if (counts.size === 0) return new Map();
  const rows = await tx.query<{ endpoint_id: string; first: string }>(
    `with locked as materialized (
       -- in one order everywhere, so that two replicas never wait for each other in a ring
       select endpoint_id from endpoint_sequences where endpoint_id = any ($1::uuid[])
       order by endpoint_id for update
     )
     update endpoint_sequences s set last = s.last + given.count
     from locked, unnest($1::uuid[], $2::int[]) as given (endpoint_id, count)
     where s.endpoint_id = locked.endpoint_id and given.endpoint_id = s.endpoint_id
     returning s.endpoint_id, s.last - given.count + 1 as first`,
    [[...counts.keys()], [...counts.values()]],
  );
  return new Map(rows.map((row) => [row.endpoint_id, Number(row.first)]));
};
