/**
 * Limits of probes. A probe is a handshake or a test request; a partner can direct it at any public
 * URL (docs/decisions/handshake-and-test-requests.md).
 */
import { clockTimestamp, execute, fragment, type Given, type Sql, statement } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/tables.ts';

export interface ProbeLimits {
  /**
   * Maximum number of probes of one organization per hour: the size of a budget, which refills
   * evenly within an hour.
   */
  readonly probesPerHour: number;
  /**
   * Maximum number of probes to one host per hour, of all organizations together: also the size of
   * a budget.
   */
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
 * Takes one probe (a handshake or a test request) from two budgets: the organization's and the
 * target host's. The budgets refill evenly (GCRA). They are rows of the database, so all replicas
 * share them.
 * @param tx a transaction; its rollback returns the probe.
 * @throws Failure RATE_LIMITED, with the seconds until the next probe.
 */
export const spendProbe = async (
  tx: Sql,
  limits: ProbeLimits,
  { organizationId, url }: { readonly organizationId: string; readonly url: string },
): Promise<void> => {
  const host = new URL(url).hostname.replace(/\.$/, '');
  // every caller locks the organization's row before the host's, which prevents deadlocks
  await spend(tx, `organization:${organizationId}`, limits.probesPerHour);
  await spend(tx, `host:${host}`, limits.probesPerHostPerHour);
  await execute(tx, tables.deleteFrom('probe_budgets').where('subject', 'in', forgotten));
};

interface Spending {
  readonly subject: string;
  /**
   * Seconds in which the budget refills by one probe: an hour divided by the size of the budget.
   */
  readonly share: number;
}

const seconds = (count: unknown) => fragment<string>`${count}::float8 * interval '1 second'`;

const take = statement((given: Given<Spending>) =>
  tables
    .insertInto('probe_budgets')
    .values({
      subject: given.subject,
      full_at: fragment<string>`${clockTimestamp} + ${seconds(given.share)}`,
    })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet(({ fn, ref }) => ({
          full_at: fragment<string>`${fn('greatest', [ref('probe_budgets.full_at'), clockTimestamp])}
            + ${seconds(given.share)}`,
        }))
        .where(
          'probe_budgets.full_at',
          '<=',
          fragment<string>`${clockTimestamp} + ${seconds(fragment.lit(windowSeconds))}
            - ${seconds(given.share)}`,
        ),
    )
    .returning('subject'),
);

const secondsLeft = statement((given: Given<Spending>) =>
  tables
    .selectFrom('probe_budgets')
    .select(({ lit, ref }) =>
      fragment<number>`extract(epoch from ${ref('full_at')} - ${clockTimestamp})::float8
        + ${given.share}::float8 - ${lit(windowSeconds)}`.as('seconds'),
    )
    .where('subject', '=', given.subject),
);

/**
 * Takes one probe from a budget. `full_at` is the time at which the budget is full again. A probe
 * moves `full_at` later by the seconds in which one probe refills.
 * @throws Failure RATE_LIMITED.
 */
const spend = async (tx: Sql, subject: string, perHour: number): Promise<void> => {
  const shareSeconds = windowSeconds / perHour;
  const [taken] = await take(tx, { subject, share: shareSeconds });
  if (taken) return;
  const [row] = await secondsLeft(tx, { subject, share: shareSeconds });
  throw new Failure(
    'RATE_LIMITED',
    'Too many handshakes and test requests. Try again after the time in Retry-After.',
    { retryAfterSeconds: Math.max(1, Math.ceil(row?.seconds ?? shareSeconds)) },
  );
};
