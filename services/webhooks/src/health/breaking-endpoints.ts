import { type Database, execute, fragment } from '@pto/database';
import { within } from '@pto/lifecycle';
import { sampledGauges, type Telemetry } from '@pto/telemetry';
import { type Endpoint, tables } from '../schema/entities.ts';
import type { HealthLimits } from './health.ts';

/** Maximum number of endpoints in a list. */
const listMax = 100;
const sampleTimeoutMs = 1000;
/** Share of the failure limit from which an endpoint counts: that of the first warning. */
const warnedFrom = 0.5;

/**
 * Endpoints of all organizations that become BROKEN without a success: half of the failure limit is
 * reached, or a delivery is exhausted (decision 40). Both conditions have a partial index.
 */
const breakingEndpoints = ({ brokenFailures }: HealthLimits) =>
  tables
    .selectFrom('endpoints')
    .where('status', '=', 'ENABLED')
    .where('disabled', '=', false)
    .where(({ and, eb, lit, or }) =>
      or([
        and([
          eb('failing_since', 'is not', null),
          eb('consecutive_failures', '>=', Math.ceil(brokenFailures * warnedFrom)),
        ]),
        eb('exhausted', '>', lit(0)),
      ]),
    );

/** Returns these endpoints, those with the most failures first, and whether there are more. */
export const listBreakingEndpoints = async (
  db: Database,
  limits: HealthLimits,
): Promise<{ endpoints: Endpoint[]; hasMore: boolean }> => {
  const found = await execute(
    db,
    breakingEndpoints(limits)
      .selectAll()
      .orderBy('consecutive_failures', 'desc')
      .orderBy('id')
      .limit(listMax + 1),
  );
  return { endpoints: found.slice(0, listMax), hasMore: found.length > listMax };
};

/** Registers the gauge of their number, which is counted at each scrape. */
export const breakingMetric = (
  db: Database,
  limits: HealthLimits,
  { metrics }: Telemetry,
): void => {
  const count = async () => {
    const [row] = await execute(
      db,
      breakingEndpoints(limits).select(fragment<number>`count(*)::int`.as('count')),
    );
    return { count: row!.count };
  };
  const look = () => within(sampleTimeoutMs, 'sampling', count()).catch(() => null);
  sampledGauges(metrics, look)(
    'webhook_breaking_endpoints',
    'Endpoints that become BROKEN without a success: half of the failures, or an exhausted delivery',
    'count',
  );
};
