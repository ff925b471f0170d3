/**
 * Bounds on probes: handshakes and test requests, which a partner can direct at any public URL
 * (docs/decisions/handshake-and-test-requests.md).
 */
import { clockTimestamp, execute, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/tables.ts';

export interface ProbeLimits {
  /** Of one organization: this many at once, and as many in an hour. */
  readonly probesPerHour: number;
  /** To one host, of all organizations together. */
  readonly probesPerHostPerHour: number;
}

const windowSeconds = 3600;
const forgottenMax = 20;
const forgotten = tables
  .selectFrom('probe_budgets')
  .select('subject')
  .where('full_at', '<', clockTimestamp)
  .limit(forgottenMax)
  .forUpdate()
  .skipLocked();

/**
 * Takes one probe from the organization's budget and from the target host's. Both refill evenly
 * (GCRA), in the database, for all replicas together.
 * @param tx a transaction: what it takes is given back when the transaction fails.
 * @throws Failure RATE_LIMITED, with the time until the next probe.
 */
export const spendProbe = async (
  tx: Sql,
  limits: ProbeLimits,
  { organizationId, url }: { readonly organizationId: string; readonly url: string },
): Promise<void> => {
  const host = new URL(url).hostname.replace(/\.$/, '');
  // always in this order, so that two transactions cannot wait for each other
  await spend(tx, `organization:${organizationId}`, limits.probesPerHour);
  await spend(tx, `host:${host}`, limits.probesPerHostPerHour);
  await execute(tx, tables.deleteFrom('probe_budgets').where('subject', 'in', forgotten));
};

/** A budget is full again at `full_at`; a probe moves that by its share of the window. */
const spend = async (tx: Sql, subject: string, perHour: number): Promise<void> => {
  const shareSeconds = windowSeconds / perHour;
  const [taken] = await tx.query(
    `insert into probe_budgets as b (subject, full_at)
     values ($1, clock_timestamp() + $2::float8 * interval '1 second')
     on conflict (subject) do update
       set full_at = greatest(b.full_at, clock_timestamp()) + $2::float8 * interval '1 second'
       where b.full_at <= clock_timestamp() + ($3::float8 - $2::float8) * interval '1 second'
     returning 1`,
    [subject, shareSeconds, windowSeconds],
  );
  if (taken) return;
  const [row] = await tx.query<{ seconds: number }>(
    `select extract(epoch from full_at - clock_timestamp())::float8 + $2::float8 - $3::float8
       as seconds
     from probe_budgets where subject = $1`,
    [subject, shareSeconds, windowSeconds],
  );
  throw new Failure(
    'RATE_LIMITED',
    'Too many handshakes and test requests. Try again after the time in Retry-After.',
    { retryAfterSeconds: Math.max(1, Math.ceil(row?.seconds ?? shareSeconds)) },
  );
};
