import { type Database, execute, isoMillis } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Mailer } from '@pto/mail';
import type { Logger } from '@pto/telemetry';
import { findEndpoint } from '../endpoint-rows/find-endpoint.ts';
import { type Rows, tables } from '../schema/tables.ts';
import { endpointHealth } from './endpoint-health.ts';
import type { HealthLimits, WarningLevel } from './verdict.ts';
import { warningMail } from './warning-mail.ts';

const batchMax = 20;
/** Tries of one warning; the last one comes some hours after the first. */
const triesMax = 12;
const gaveUp = `a warning mail failed ${triesMax} times and is not tried again`;
const attemptsShown = 5;

/** Returns the mail addresses of an organization's administrators, by an RPC to the gateway. */
export type Administrators = (organizationId: string) => Promise<readonly string[]>;

/**
 * Sends up to 20 due warnings, each as one mail. Warnings of one endpoint are sent in the order of
 * their levels, so that none follows the mail that the endpoint is BROKEN. A warning that was not
 * sent, because the process died or the mail server rejected it, is sent again after growing waits.
 * After `triesMax` tries it is dropped and logged.
 */
export const sendWarnings = async (deps: {
  db: Database;
  mailer: Mailer;
  administrators: Administrators;
  limits: HealthLimits;
  publicBaseUrl: string;
  log: Logger;
}): Promise<void> => {
  const { db, log } = deps;
  for (const warning of await take(db)) {
    const sent = await send(deps, warning).catch((err) => {
      log.warn({ err, endpointId: warning.endpoint_id }, 'a warning could not be mailed');
      return false;
    });
    if (sent || warning.tries >= triesMax)
      await execute(db, tables.deleteFrom('warnings').where('id', '=', warning.id));
    if (!sent && warning.tries >= triesMax) log.error({ endpointId: warning.endpoint_id }, gaveUp);
  }
};

interface Warning
  extends Pick<Rows['warnings'], 'id' | 'endpoint_id' | 'organization_id' | 'tries'> {
  readonly level: WarningLevel;
}

const take = (db: Database): Promise<Warning[]> =>
  db.query<Warning>(
    `update warnings set tries = tries + 1,
       next_try_at = now() + least(3600, 30 * 2 ^ tries) * interval '1 second'
     where id in (select id from warnings due where next_try_at <= now()
         and not exists (select from warnings earlier
           where earlier.endpoint_id = due.endpoint_id and earlier.level < due.level)
       order by id limit $1 for update skip locked)
     returning id, endpoint_id, organization_id, level, tries`,
    [batchMax],
  );

const send = async (
  { db, mailer, administrators, limits, publicBaseUrl }: Parameters<typeof sendWarnings>[0],
  { endpoint_id: endpointId, organization_id: organizationId, level }: Warning,
): Promise<boolean> => {
  if (!mailer.works) return true;
  const endpoint = await findEndpoint(db, { id: endpointId }).catch(nullIfDeleted);
  if (!endpoint) return true;
  const to = await administrators(organizationId);
  if (to.length === 0) return true;
  const { breaksAt } = endpointHealth(endpoint, limits);
  const mail = warningMail({
    endpointId,
    url: endpoint.url,
    level,
    consecutiveFailures: endpoint.consecutiveFailures,
    failuresMax: limits.brokenFailures,
    breaksAt: breaksAt === null ? null : new Date(breaksAt).toISOString(),
    lastSuccessAt: endpoint.lastSuccessAt?.toISOString() ?? null,
    attempts: await lastFailures(db, endpointId),
    publicBaseUrl,
  });
  await mailer.send({ to, ...mail });
  return true;
};

const nullIfDeleted = (error: unknown): null => {
  if (error instanceof Failure && error.kind === 'NOT_FOUND') return null;
  throw error;
};

/** Returns the last failed attempts of the newest deliveries: status or error, never a body. */
const lastFailures = async (db: Database, endpointId: string) => {
  type Row = Pick<Rows['attempts'], 'at' | 'status_code' | 'error'> &
    Pick<Rows['deliveries'], 'event'>;
  const rows = await db.query<Row>(
    `select a.at::text as at, d.event, a.status_code, a.error
     from (
       (select id, event from deliveries
        where endpoint_id = $1 and state <> 'EXHAUSTED' order by id desc limit 50)
       union all
       (select id, event from deliveries
        where endpoint_id = $1 and state = 'EXHAUSTED' order by id desc limit 50)
     ) d
     join attempts a on a.delivery_id = d.id
     where a.status_code is null or a.status_code not between 200 and 299
     order by a.at desc limit $2`,
    [endpointId, attemptsShown],
  );
  return rows.map(({ at, event, status_code, error }) => ({
    at: isoMillis(at),
    event,
    result: error || `HTTP ${status_code}`,
  }));
};
