import { type Database, execute, fragment } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { readClock } from '../database-clock.ts';
import { endStale } from '../queue/end-stale.ts';
import { type EndpointKey, tables } from '../schema/entities.ts';
import {
  type Health,
  type HealthLimits,
  healthOf,
  isBroken,
  warningLevel,
  wellTimes,
} from './health.ts';
import { noteWarning } from './send-warnings.ts';

/** The health of an endpoint after a failed attempt was recorded, at the database's time `now`. */
export interface FailedEndpoint extends Health, EndpointKey {
  readonly warnedLevel: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const notJudged =
  'the health of the endpoint could not be judged; it is judged again after the next failed attempt';
const becameBroken = 'the endpoint became BROKEN: nothing is sent to it until a handshake passes';

/**
 * Returns functions that make endpoints BROKEN or queue warnings, by the endpoints' health. They end
 * the queued deliveries of an endpoint that becomes BROKEN.
 */
export const createEndpointBreaker = (options: {
  db: Database;
  limits: HealthLimits;
  log: Logger;
  /** Called when an endpoint has become BROKEN, to count the endpoint. */
  broken: () => void;
}) => {
  const { db, limits, log } = options;
  const breakEndpoint = async (endpoint: EndpointKey): Promise<void> => {
    if (!(await breakIfBroken(db, endpoint, limits))) return;
    options.broken();
    log.warn({ endpointId: endpoint.id }, becameBroken);
    await endStale(db, endpoint);
  };
  const judgeOne = async (endpoint: FailedEndpoint): Promise<void> => {
    if (isBroken(endpoint, limits, endpoint.now)) return breakEndpoint(endpoint);
    const level = warningLevel(endpoint, limits);
    if (level <= endpoint.warnedLevel) return;
    await noteWarning(db, endpoint, level, (limits.brokenFailures * level) / 100);
  };
  return {
    /**
     * Judges endpoints whose attempts have just failed. Never rejects: it logs its errors, and the
     * next failed attempt judges the endpoint again.
     */
    judge: async (failed: readonly FailedEndpoint[]): Promise<void> => {
      for (const endpoint of failed)
        await judgeOne(endpoint).catch((err) =>
          log.warn({ err, endpointId: endpoint.id }, notJudged),
        );
    },
    /** Makes endpoints BROKEN whose time has come, also if nothing is sent to them. */
    breakDue: async (): Promise<void> => {
      const silent = await silentEndpoints(db, limits.brokenSilenceMs);
      for (const endpoint of [...silent, ...(await failingEndpoints(db, limits))])
        await breakEndpoint(endpoint);
    },
  };
};

/**
 * Makes an ENABLED endpoint BROKEN if its health has reached a limit (decision 40), and queues the
 * warning mail. The endpoint's new generation makes its queued deliveries stale, and `endStale`
 * ends them. A paused endpoint stays ENABLED. The endpoint is judged again while its row is locked,
 * so a success that was recorded meanwhile keeps it ENABLED.
 * @returns whether this call made the endpoint BROKEN.
 */
export const breakIfBroken = (
  db: Database,
  { organizationId, id }: EndpointKey,
  limits: HealthLimits,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [endpoint] = await execute(
      tx,
      tables
        .selectFrom('endpoints')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('status', '=', 'ENABLED')
        .where('disabled', '=', false)
        .where('paused', '=', false)
        .forUpdate(),
    );
    const clock = await readClock(tx);
    if (!endpoint || !isBroken(healthOf(endpoint), limits, clock())) return false;
    await execute(
      tx,
      tables
        .updateTable('endpoints')
        .set({
          status: 'BROKEN',
          generation: endpoint.generation + 1,
          generation_reason: 'broken',
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id),
    );
    await noteWarning(tx, { organizationId, id }, 100, 0);
    return true;
  });

/**
 * Returns up to 1,000 endpoints for which the silence limit has passed (decision 40).
 * Such an endpoint is ENABLED and not disabled, and a delivery became EXHAUSTED since its last 2xx
 * response. For `silenceMs` it had no 2xx response and no passed handshake, and it was neither created
 * nor resumed in that time. Endpoints without due deliveries are included.
 */
const silentEndpoints = (db: Database, silenceMs: number): Promise<EndpointKey[]> =>
  execute(
    db,
    deliveringEndpoints
      // written out: only then does PostgreSQL use the index over exhausted > 0
      .where(({ eb, lit }) => eb('exhausted', '>', lit(0)))
      .where(({ fn }) => fn<string>('greatest', [...wellTimes]), '<=', ago(silenceMs))
      .limit(1000),
  );

/**
 * Returns up to 1,000 endpoints whose failures have reached their limit and are old enough (decision
 * 40). The attempt that reached the limit may have been the last one for hours.
 */
const failingEndpoints = (db: Database, limits: HealthLimits): Promise<EndpointKey[]> =>
  execute(
    db,
    deliveringEndpoints
      .where('failing_since', '<=', ago(limits.brokenMinAgeMs))
      .where('consecutive_failures', '>=', limits.brokenFailures)
      .limit(1000),
  );

const ago = (ms: number) => fragment<string>`now() - ${ms}::float8 * interval '1 ms'`;

const deliveringEndpoints = tables
  .selectFrom('endpoints')
  .select(['organization_id as organizationId', 'id'])
  .where('status', '=', 'ENABLED')
  .where('disabled', '=', false)
  .where('paused', '=', false);
