/**
 * Limits of probes. A probe is a handshake or a test request; a partner can direct it at any public
 * URL (docs/decisions/handshake-and-test-requests.md).
 */
import {
  clockTimestamp,
  execute,
  fragment,
  type Placeholders,
  type Sql,
  statement,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { type Endpoint, tables } from '../schema/entities.ts';

/** The target of a probe. */
export type Probed = Pick<Endpoint, 'url' | 'status'>;

const windowSeconds = 60;
const limited =
  'Too many handshakes and test requests to a host that has returned no nonce. Try again after the time in Retry-After.';
const forgottenMax = 20;
const forgotten = tables
  .selectFrom('probe_budgets')
  .select('subject')
  .where('full_at', '<', clockTimestamp)
  .limit(forgottenMax)
  .forUpdate()
  .skipLocked();

/**
 * Takes a probe from the budget of the target's host, which refills evenly within a minute (GCRA).
 * A probe to a URL that has proven itself is free: its owner wants the requests of this
 * organization. The budget is a row of the database, so all replicas share it.
 * @param sql a transaction's rollback returns the probe.
 * @param perMinute maximum number of unproven probes to one host per minute, of all organizations
 *   together. More than an organization can cause with ten keys, so that only several organizations
 *   or raised budgets meet it.
 * @throws Failure RATE_LIMITED, with the seconds within which the next probe refills.
 */
export const spendProbe = async (sql: Sql, perMinute: number, probed: Probed): Promise<void> => {
  if (isProven(probed)) return;
  const spending = spendingOf(perMinute, probed);
  const [taken] = await take(sql, spending);
  if (!taken)
    throw new Failure('RATE_LIMITED', limited, {
      retryAfterSeconds: Math.max(1, Math.ceil(spending.share)),
    });
  await execute(sql, tables.deleteFrom('probe_budgets').where('subject', 'in', forgotten));
};

/** Returns a spent probe after its handshake has passed: the host's owner wanted it. */
export const returnProbe = async (sql: Sql, perMinute: number, probed: Probed): Promise<void> => {
  if (!isProven(probed)) await giveBack(sql, spendingOf(perMinute, probed));
};

/** Whether the URL has returned a nonce: every other status was reached by a handshake of it. */
export const isProven = ({ status }: Probed): boolean => status !== 'PENDING_VERIFICATION';

interface Spending {
  readonly subject: string;
  /**
   * Seconds in which the budget refills by one probe: a minute divided by the size of the budget.
   */
  readonly share: number;
}

const spendingOf = (perMinute: number, { url }: Probed): Spending => ({
  subject: `host:${new URL(url).hostname.replace(/\.$/, '')}`,
  share: windowSeconds / perMinute,
});

const seconds = (count: unknown) => fragment<string>`${count}::float8 * interval '1 second'`;

/**
 * Takes one probe, if the budget has one. `full_at` is the time at which the budget is full again. A
 * probe moves `full_at` later by the seconds in which one probe refills.
 */
const take = statement((given: Placeholders<Spending>) =>
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

const giveBack = statement((given: Placeholders<Spending>) =>
  tables
    .updateTable('probe_budgets')
    .set(({ ref }) => ({ full_at: fragment<string>`${ref('full_at')} - ${seconds(given.share)}` }))
    .where('subject', '=', given.subject),
);
