import { type Database, fragment, statement } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { suspectFrom } from './claim.ts';
import { failingFrom } from './claim-sql.ts';

/**
 * `pending`: number of queued deliveries. `oldest`: seconds for which the oldest overdue delivery
 * has been due. `suspect`: number of queued deliveries with `suspectFrom` lost leases or more.
 * `quarantined`: number of deliveries in the quarantine.
 */
interface Queue {
  readonly pending: number;
  readonly oldest: number;
  readonly suspect: number;
  readonly quarantined: number;
}

const dueTimes = tables
  .selectFrom('pending_deliveries')
  .select(({ fn }) => [
    'organization_id',
    'endpoint_id',
    'generation',
    'lease_until',
    'lost',
    fn<string>('greatest', ['due_at', 'due_if_lost_at']).as('due_at'),
  ]);

const queues = tables
  .selectFrom(dueTimes.as('p'))
  .select(({ eb, fn, lit, ref }) => [
    'p.organization_id',
    'p.endpoint_id',
    'p.generation',
    fn.countAll<string>().as('queued'),
    fn
      .min<string | null>('p.due_at')
      .filterWhere('p.due_at', '<=', fragment<string>`now()`)
      .as('due_at'),
    fragment<boolean>`coalesce(bool_or(${ref('p.lease_until')} > now()), false)`.as('in_attempt'),
    fn
      .countAll<string>()
      .filterWhere(eb('p.lost', '>=', lit(suspectFrom)))
      .as('suspect'),
  ])
  .groupBy(['p.organization_id', 'p.endpoint_id', 'p.generation']);

const readQueue = statement(() =>
  tables
    .selectFrom(queues.as('q'))
    .leftJoin('endpoints as e', (join) =>
      join
        .onRef('e.organization_id', '=', 'q.organization_id')
        .onRef('e.id', '=', 'q.endpoint_id')
        .onRef('e.generation', '=', 'q.generation'),
    )
    .select(({ fn, not, ref, selectFrom }) => {
      const quarantined = selectFrom('quarantined_deliveries').select(fn.countAll().as('count'));
      const lastAttempt = fn<string>('greatest', ['e.last_success_at', 'e.last_failure_at']);
      const oldest = fn
        .min('q.due_at')
        .filterWhere(not(ref('q.in_attempt')))
        .filterWhere('e.status', '=', 'ENABLED')
        .filterWhere('e.disabled', '=', false)
        .filterWhere('e.paused', '=', false)
        .filterWhere('e.consecutive_failures', '<', failingFrom)
        .filterWhere(
          fragment<boolean>`coalesce(${lastAttempt} < now() - interval '1 minute', true)`,
        );
      return [
        fragment<number>`coalesce(${fn.sum('q.queued')}, 0)::int`.as('pending'),
        fragment<number>`coalesce(${fn.sum('q.suspect')}, 0)::int`.as('suspect'),
        fragment<number>`${quarantined}::int`.as('quarantined'),
        fragment<number>`coalesce(extract(epoch from now() - ${oldest}), 0)::float8`.as('oldest'),
      ];
    }),
);

/**
 * Measures the queue in one statement. A due delivery counts as overdue if its endpoint is ENABLED,
 * neither disabled nor paused and not failing, has no in-flight attempt, and had no attempt that
 * ended within the last minute. An endpoint with in-flight or recent attempts makes progress: its due deliveries
 * wait for a concurrency slot or for an earlier event of their order. After a lost lease a delivery
 * is due when the pause is over.
 */
export const sampleQueue = async (db: Database): Promise<Queue> => {
  const [row] = await readQueue(db);
  return row!;
};
