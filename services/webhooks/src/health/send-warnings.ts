import {
  type Database,
  execute,
  fragment,
  insertFromArrays,
  isoMillis,
  type Sql,
  uuidv7,
} from '@pto/database';
import type { Mailer } from '@pto/mail';
import { isNotHeld } from '@pto/moves';
import type { Logger } from '@pto/telemetry';
import { listDeliveries } from '../deliveries/list-deliveries.ts';
import { type EndpointKey, tables } from '../schema/entities.ts';
import { type HealthLimits, shownBreaksAt, type WarningLevel } from './health.ts';
import { warningMail } from './warning-mail.ts';

const batchMax = 20;
/** Maximum number of tries of one warning; the last try is about five hours after the first. */
const triesMax = 12;
const gaveUp = `a warning mail failed ${triesMax} times and is not tried again`;
const rejectedText =
  'the mail server rejected administrators of an organization; the others have the warning. Correct them: operator org admins';
const attemptsShown = 5;

/** Returns the mail addresses of an organization's administrators, by an RPC to the gateway. */
export type Administrators = (organizationId: string) => Promise<readonly string[]>;

/**
 * Sends up to 20 due warnings, each as one mail. Warnings of one endpoint are sent in the order of
 * their levels, so that no warning follows the mail that the endpoint is BROKEN. A warning that was
 * not sent, because the process died or the mail server rejected it, is tried again after growing
 * waits. A warning that failed `triesMax` times is deleted and logged.
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
  for (const warning of (await take(db)) as Warning[]) {
    const sent = await send(deps, warning).catch((err) => {
      const { endpoint_id: endpointId, organization_id: organizationId, tries } = warning;
      log.warn(
        { err, endpointId, organizationId, tries },
        'a warning mail could not be sent; it is tried again later, up to 12 times',
      );
      return false;
    });
    if (sent || warning.tries >= triesMax)
      await execute(
        db,
        tables
          .deleteFrom('warnings')
          .where('organization_id', '=', warning.organization_id)
          .where('id', '=', warning.id),
      );
    if (!sent && warning.tries >= triesMax) log.error({ endpointId: warning.endpoint_id }, gaveUp);
  }
};

type Warning = Omit<Awaited<ReturnType<typeof take>>[number], 'level'> & {
  readonly level: WarningLevel;
};

/** Selects the warning with the lowest level of each endpoint, if it is due and not held. */
const due = tables
  .selectFrom('warnings as due')
  .select(['due.organization_id', 'due.id'])
  .where('due.next_try_at', '<=', fragment<string>`now()`)
  .where(isNotHeld('due.organization_id'))
  .where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('warnings as earlier')
          .whereRef('earlier.organization_id', '=', 'due.organization_id')
          .whereRef('earlier.endpoint_id', '=', 'due.endpoint_id')
          .whereRef('earlier.level', '<', 'due.level'),
      ),
    ),
  )
  .orderBy('due.id')
  .limit(batchMax)
  .forUpdate()
  .skipLocked();

const take = (db: Database) =>
  execute(
    db,
    tables
      .updateTable('warnings')
      .set(({ eb, ref }) => ({
        tries: eb('tries', '+', 1),
        next_try_at: fragment<string>`now()
          + least(3600, 30 * 2 ^ ${ref('tries')}) * interval '1 second'`,
      }))
      .where(({ eb, refTuple }) =>
        eb(refTuple('organization_id', 'id'), 'in', due.$asTuple('organization_id', 'id')),
      )
      .returning(['id', 'endpoint_id', 'organization_id', 'level', 'tries']),
  );

const send = async (
  { db, mailer, administrators, limits, publicBaseUrl, log }: Parameters<typeof sendWarnings>[0],
  { endpoint_id: endpointId, organization_id: organizationId, level }: Warning,
): Promise<boolean> => {
  if (!mailer.works) return true;
  const [endpoint] = await execute(
    db,
    tables
      .selectFrom('endpoints')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', endpointId),
  );
  if (!endpoint) return true; // deleted meanwhile
  const to = await administrators(organizationId);
  if (to.length === 0) return true;
  const mail = warningMail({
    endpointId,
    url: endpoint.url,
    level,
    consecutiveFailures: endpoint.consecutive_failures,
    failuresMax: limits.brokenFailures,
    breaksAt: shownBreaksAt(endpoint, limits),
    lastSuccessAt: endpoint.last_success_at && isoMillis(endpoint.last_success_at),
    attempts: await lastFailures(db, { organizationId, id: endpointId }),
    publicBaseUrl,
  });
  const { rejected } = await mailer.send({ to, ...mail });
  if (rejected.length > 0) log.error({ endpointId, organizationId, rejected }, rejectedText);
  return true;
};

/**
 * Returns the five latest failed attempts of the endpoint's newest deliveries, each with its status
 * or error, without a body. All attempts since the last success belong to queued or exhausted
 * deliveries.
 */
const lastFailures = async (db: Database, { organizationId, id: endpointId }: EndpointKey) => {
  const lists = ['PENDING', 'EXHAUSTED'].map((state) =>
    listDeliveries(db, { organizationId, endpointId, state, beforeId: '' }),
  );
  const deliveries = (await Promise.all(lists)).flatMap((list) => list.deliveries);
  return deliveries
    .flatMap(({ event, attempts }) =>
      attempts.map(({ at, error, statusCode }) => ({
        at,
        event,
        result: error || `HTTP ${statusCode}`,
      })),
    )
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, attemptsShown);
};

/**
 * Queues a warning to administrators, at most one per level since the endpoint's last success or
 * passed handshake. If the failures pass a level before it is judged, that level gets no warning.
 * A paused endpoint gets no warning; a later failure is judged again.
 * @param failures minimum number of stored consecutive failures: with fewer, no warning is queued.
 */
export const noteWarning = async (
  sql: Sql,
  { organizationId, id }: EndpointKey,
  level: WarningLevel,
  failures: number,
): Promise<void> => {
  const warned = tables.with('warned', (db) =>
    db
      .updateTable('endpoints')
      .set({ warned_level: level })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('warned_level', '<', level)
      .where('consecutive_failures', '>=', failures)
      .where('paused', '=', false)
      .returning(['id', 'organization_id']),
  );
  await execute(
    sql,
    insertFromArrays(
      warned,
      'warnings',
      ({ selectFrom }) => selectFrom('warned'),
      ({ cast, ref, val }) => ({
        id: cast<string>(val(uuidv7()), 'uuid'),
        endpoint_id: ref('warned.id'),
        organization_id: ref('warned.organization_id'),
        level: cast<number>(val(level), 'smallint'),
      }),
    ),
  );
};
