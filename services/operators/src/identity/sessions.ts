import { hashSecret, isCheckedSecret, newCheckedSecret } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/tables.ts';
import { isRole, type Operator } from './operator.ts';

const prefix = 'ops_';

/** Returns whether the text has the prefix of a session's secret. */
export const looksLikeSession = (text: string): boolean => text.startsWith(prefix);

/** A session ends at the latest after this time, however often it is used. */
const lastsMaxHours = 12;
/** A session that is not used for this long has ended. */
const idleMinutes = 30;

const minutesAgo = (minutes: number) =>
  fragment<string>`clock_timestamp() - ${minutes} * interval '1 minute'`;

const validToken = tables
  .selectFrom('operator_tokens as t')
  .select('t.id')
  .whereRef('t.id', '=', fragment<string>`s.operator_id`)
  .where('t.revoked_at', 'is', null)
  .where('t.expires_at', '>', clockTimestamp);

const allowedPerson = tables
  .selectFrom('operators as o')
  .select('o.id')
  .whereRef('o.id', '=', fragment<string>`s.operator_id`)
  .where('o.blocked_at', 'is', null);

/** Selects a session, and whether the credential from which it was derived is still valid. */
const select = (secret: string) =>
  tables
    .selectFrom('operator_sessions as s')
    .select([
      's.id',
      's.operator_id',
      's.operator_name',
      's.roles',
      's.credential',
      's.expires_at',
      's.carrier_id',
    ])
    .select(({ eb, exists, or }) => [
      or([
        eb('s.expires_at', '<=', clockTimestamp),
        eb('s.last_used_at', '<', minutesAgo(idleMinutes)),
      ])
        .$castTo<boolean>()
        .as('ended'),
      eb('s.last_used_at', '<', minutesAgo(1)).$castTo<boolean>().as('stale'),
      or([exists(validToken), exists(allowedPerson)])
        .$castTo<boolean>()
        .as('derived'),
    ])
    .where('s.hash', '=', hashSecret(secret));

/** Longer than a sign-in lasts at the console, so that none is begun before and repeated after. */
const signInHours = 1;

/** Notes that a sign-in has started a session. @returns whether it is the first time. */
const noteSignIn = async (db: Database, { signIn, expiresAt }: Operator): Promise<boolean> => {
  if (signIn === undefined) return true;
  await execute(db, tables.deleteFrom('operator_sign_ins').where('ends_at', '<', clockTimestamp));
  const rows = await execute(
    db,
    tables
      .insertInto('operator_sign_ins')
      .values({
        hash: hashSecret(signIn),
        ends_at: fragment<string>`greatest(${expiresAt.toISOString()}::timestamptz,
          clock_timestamp() + ${signInHours} * interval '1 hour')`,
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash'),
  );
  return rows.length > 0;
};

/**
 * Starts, finds and ends operators' sessions of the console. A session has the name and the roles
 * that its operator had at the start, lasts as long as the credential but at most 12 h, and ends
 * after 30 min without use, by sign-out, and with its credential. Each look-up reads the database.
 */
export const operatorSessions = (db: Database) => ({
  /**
   * @throws Failure OPERATOR_NOT_PERMITTED for a session, which cannot prolong itself;
   *   OPERATOR_NOT_AUTHENTICATED for a sign-in with OpenID that has started one before.
   */
  start: async (operator: Operator) => {
    const { credential } = operator;
    if (operator.sessionId !== undefined || credential === 'device')
      throw new Failure('OPERATOR_NOT_PERMITTED', 'A session cannot start another session.');
    if (!(await noteSignIn(db, operator)))
      throw new Failure(
        'OPERATOR_NOT_AUTHENTICATED',
        'This sign-in has started a session before. Sign in again.',
      );
    const secret = newCheckedSecret(prefix);
    const statement = tables
      .insertInto('operator_sessions')
      .values({
        id: uuidv7(),
        hash: hashSecret(secret),
        operator_id: operator.id,
        operator_name: operator.name,
        roles: [...operator.roles],
        credential,
        carrier_id: operator.carrier?.carrierId ?? null,
        expires_at: fragment<string>`least(${operator.expiresAt.toISOString()}::timestamptz,
          clock_timestamp() + ${lastsMaxHours} * interval '1 hour')`,
      })
      .returning('expires_at');
    const [row] = await execute(db, statement);
    await execute(
      db,
      tables.deleteFrom('operator_sessions').where('expires_at', '<', clockTimestamp),
    );
    return { secret, expiresAt: new Date(row!.expires_at).toISOString() };
  },
  /** Ends the session with which the operator calls, or all sessions of the operator. */
  end: async (operator: Operator, everywhere: boolean): Promise<void> => {
    const all = tables.deleteFrom('operator_sessions').where('operator_id', '=', operator.id);
    if (everywhere) await execute(db, all);
    else if (operator.sessionId !== undefined)
      await execute(db, all.where('id', '=', operator.sessionId));
  },
  /**
   * Returns the operator of a valid session, or null. Records the use, at most once a minute.
   * @param isUse false for a call that no person made, which does not prolong the session.
   */
  find: async (secret: string, isUse: boolean): Promise<Operator | null> => {
    if (!isCheckedSecret(prefix, secret)) return null;
    const [row] = await execute(db, select(secret));
    if (!row || row.ended || !row.derived) return null;
    if (row.stale && isUse)
      await execute(
        db,
        tables
          .updateTable('operator_sessions')
          .set({ last_used_at: fragment<string>`date_trunc('minute', clock_timestamp())` })
          .where('id', '=', row.id),
      );
    return {
      id: row.operator_id,
      name: row.operator_name,
      roles: row.roles.filter(isRole),
      credential: row.credential,
      expiresAt: new Date(row.expires_at),
      sessionId: row.id,
      ...(row.carrier_id !== null && { carrier: { carrierId: row.carrier_id } }),
    };
  },
});
