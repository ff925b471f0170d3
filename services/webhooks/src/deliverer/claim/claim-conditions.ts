/** Conditions and numbers of the claim, as SQL; `$10` and `$11` are parameters of claim-sql.ts. */

/**
 * From `failingFrom` consecutive failures on, an endpoint has only `failingInFlight` concurrency
 * slots: its attempts often time out and occupy their slots for long.
 */
export const failingFrom = 10;
export const failingInFlight = 2;
/** SQL condition: the endpoint `e` is failing. */
export const isFailing = `e.consecutive_failures >= ${failingFrom}`;

/**
 * SQL condition: no process leases the queued row `p`. Either the row has no lease, or its lease
 * was lost and the pause after the lost lease is over.
 */
export const isFree = (p: string): string =>
  `(${p}.lease_until is null
    or ${p}.lease_until <= now() and ${p}.due_if_lost_at <= now())`;

/**
 * SQL: number of lost leases of a delivery that do not count as attempts of the schedule. It is the
 * number of pauses in `$10`.
 */
export const lostMost = 'cardinality($10::float8[])';

/**
 * SQL: the number of a row's last attempt in the retry schedule. The row had `attempts` leases, of
 * which `losses` were lost.
 */
export const scheduled = (attempts: string, losses: string): string =>
  `${attempts} - least(${losses}, ${lostMost})`;

/**
 * SQL: the pause in milliseconds that follows the lease which this statement creates, in case that
 * this lease is lost.
 */
export const pauseIfLost = `coalesce(case when m.losses < ${lostMost}
  then ($10::float8[])[m.losses + 1]
  else ($11::float8[])[${scheduled('p.attempts + 1', 'm.losses')}] end, 0)`;
