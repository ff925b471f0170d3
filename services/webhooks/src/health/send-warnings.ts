import {
  type Database,
  execute,
  fragment,
  type Given,
  insertRows,
  isoMillis,
  type Sql,
  statement,
  uuidv7,
} from '@pto/database';
import type { Mailer } from '@pto/mail';
import type { Logger } from '@pto/telemetry';
import { EndpointEntity } from '../schema/endpoints.ts';
import { tables } from '../schema/entities.ts';
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
      await execute(db, tables.deleteFrom('warnings').where('id', '=', warning.id));
    if (!sent && warning.tries >= triesMax) log.error({ endpointId: warning.endpoint_id }, gaveUp);
  }
};

type Warning = Omit<Awaited<ReturnType<typeof take>>[number], 'level'> & {
  readonly level: WarningLevel;
};

/** Selects the warning with the lowest level of each endpoint, if it is due. */
const due = tables
  .selectFrom('warnings as due')
  .select('due.id')
  .where('due.next_try_at', '<=', fragment<string>`now()`)
  .where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('warnings as earlier')
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
      .where('id', 'in', due)
      .returning(['id', 'endpoint_id', 'organization_id', 'level', 'tries']),
  );

const send = async (
  { db, mailer, administrators, limits, publicBaseUrl, log }: Parameters<typeof sendWarnings>[0],
  { endpoint_id: endpointId, organization_id: organizationId, level }: Warning,
): Promise<boolean> => {
  if (!mailer.works) return true;
  const endpoint = await db.read((em) => em.findOne(EndpointEntity, { id: endpointId }));
  if (!endpoint) return true; // deleted meanwhile
  const to = await administrators(organizationId);
  if (to.length === 0) return true;
  const mail = warningMail({
    endpointId,
    url: endpoint.url,
    level,
    consecutiveFailures: endpoint.consecutiveFailures,
    failuresMax: limits.brokenFailures,
    breaksAt: shownBreaksAt(endpoint, limits),
    lastSuccessAt: endpoint.lastSuccessAt?.toISOString() ?? null,
    attempts: await lastFailures(db, endpointId),
    publicBaseUrl,
  });
  const { rejected } = await mailer.send({ to, ...mail });
  if (rejected.length > 0) log.error({ endpointId, organizationId, rejected }, rejectedText);
  return true;
};

/**
 * Selects an endpoint's 50 newest deliveries that are EXHAUSTED (`=`) or not (`<>`). The state is a
 * literal, so that PostgreSQL can use the partial index.
 */
const newest = (endpointId: Given<{ id: string }>['id'], exhausted: '=' | '<>') =>
  tables
    .selectFrom('deliveries')
    .select(['id', 'event'])
    .where('endpoint_id', '=', endpointId)
    .where('state', exhausted, fragment.lit('EXHAUSTED'))
    .orderBy('id', 'desc')
    .limit(fragment.lit(50));

const selectFailures = statement((given: Given<{ endpointId: string }>) =>
  tables
    .selectFrom(
      tables
        .selectFrom(newest(given.endpointId, '<>').as('o'))
        .selectAll('o')
        .unionAll(tables.selectFrom(newest(given.endpointId, '=').as('x')).selectAll('x'))
        .as('d'),
    )
    .innerJoin('attempts as a', 'a.delivery_id', 'd.id')
    .select(['a.at', 'd.event', 'a.status_code', 'a.error'])
    .where(({ between, eb, lit, not, or }) =>
      or([eb('a.status_code', 'is', null), not(between('a.status_code', lit(200), lit(299)))]),
    )
    .orderBy('a.at', 'desc')
    .limit(fragment.lit(attemptsShown)),
);

/**
 * Returns the five latest failed attempts of the endpoint's newest deliveries, each with its status
 * or error, without a body.
 */
const lastFailures = async (db: Database, endpointId: string) => {
  const rows = await selectFailures(db, { endpointId });
  return rows.map(({ at, event, status_code, error }) => ({
    at: isoMillis(at),
    event,
    result: error || `HTTP ${status_code}`,
  }));
};

/**
 * Queues a warning to administrators, at most one per level since the endpoint's last success or
 * passed handshake. If the failures pass a level before it is judged, that level gets no warning.
 * @param failures minimum number of stored consecutive failures: with fewer, no warning is queued.
 */
export const noteWarning = async (
  sql: Sql,
  endpointId: string,
  level: WarningLevel,
  failures: number,
): Promise<void> => {
  const warned = tables.with('warned', (db) =>
    db
      .updateTable('endpoints')
      .set({ warned_level: level })
      .where('id', '=', endpointId)
      .where('warned_level', '<', level)
      .where('consecutive_failures', '>=', failures)
      .returning(['id', 'organization_id']),
  );
  await execute(
    sql,
    insertRows(
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
