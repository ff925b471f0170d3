import { derivedSecret, hashSecret, isCheckedSecret } from '@pto/access';
import { deviceOpening, deviceRenewal, isDeviceSignature, Rejection } from '@pto/custody-verifier';
import { clockTimestamp, type Database, execute, fragment, uuidv7 } from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import { shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import type { Operator } from './operator.ts';

const [codePrefix, prefix] = ['drl_', 'drv_'] as const;
export const driverCodePrefix = codePrefix;

/** Returns whether the text has the prefix of a driver's session. */
export const looksLikeDriver = (text: string): boolean => text.startsWith(prefix);

/** A session lasts a shift (decision 84). */
const shift = fragment<string>`clock_timestamp() + interval '14 hours'`;

const cannotOpen = (why: string): Failure =>
  new Failure('NOT_FOUND', `${why} Ask for a new link.`, { details: { resource: 'driver link' } });
const hasEnded = (): Failure =>
  new Failure('OPERATOR_NOT_AUTHENTICATED', 'This session has ended. Ask for a new link.');

/** Selects the session of a valid driver on a device that is not revoked. */
const selectSession = (hash: Buffer) =>
  tables
    .selectFrom('driver_sessions as s')
    .innerJoin('driver_devices as v', 'v.id', 's.device_id')
    .innerJoin('drivers as d', 'd.id', 's.driver_id')
    .innerJoin('carriers as c', 'c.id', 'd.carrier_id')
    .select(['s.id', 's.driver_id', 'd.name as driver', 'd.carrier_id', 'c.name as carrier'])
    .select(['c.telephone as carrier_telephone', 's.device_id', 's.expires_at', 'v.key'])
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', clockTimestamp)
    .where('v.revoked_at', 'is', null)
    .where('d.active', '=', true)
    .where('c.active', '=', true);

/**
 * Opens, finds, prolongs and ends the sessions of drivers' phones. Each look-up reads the database, so
 * a revocation takes effect at the next call.
 */
export const driverSessions = (db: Database, environment: string, cells: readonly string[]) => {
  const find = async (secret: string) =>
    isCheckedSecret(prefix, secret)
      ? (await execute(db, selectSession(hashSecret(secret))))[0]
      : undefined;
  const rowOf = async (secret: string) => {
    const row = await find(secret);
    if (!row) throw hasEnded();
    return row;
  };
  const get = async (secret: string) => {
    const { key: _, ...row } = await rowOf(secret);
    return { session: { ...shown(row), environment, cells: [...cells] } };
  };
  return {
    /**
     * Exchanges a link's code for a session, and binds the device's key to the driver. The secret
     * follows from the code and the signature, which no other program has, and is stored nowhere: a
     * phone that lost the response gets the same one again, for a minute.
     * @throws Failure VALIDATION, NOT_FOUND with what to do next
     */
    open: async ({ code, key, signature }: { code: string; key: string; signature: string }) => {
      if (!isCheckedSecret(codePrefix, code)) throw cannotOpen('This link is not complete.');
      await requireSignature(key, signature, deviceOpening(code));
      const secret = derivedSecret(prefix, code, signature);
      const [codeHash, hash] = [hashSecret(code), hashSecret(secret)];
      await db.transaction(async (tx) => {
        const link = tables
          .selectFrom('driver_sessions')
          .select(['driver_id', 'hash', 'opened_at'])
          .select([
            fragment<boolean>`opens_until > clock_timestamp()`.as('is_open'),
            fragment<boolean>`opened_at > clock_timestamp() - interval '1 minute'`.as('is_recent'),
          ])
          .where('code_hash', '=', codeHash)
          .forUpdate();
        const [row] = await execute(tx, link);
        if (row?.is_recent && row.hash?.equals(hash)) return;
        if (row?.opened_at) throw cannotOpen('This link was opened before; it works once.');
        if (!row?.is_open) throw cannotOpen('This link has expired, or was ended.');
        const bind = tables
          .insertInto('driver_devices')
          .values({ id: uuidv7(), driver_id: row.driver_id, key })
          .onConflict((conflict) => conflict.column('key').doNothing());
        await execute(tx, bind);
        const bound = tables
          .selectFrom('driver_devices')
          .select(['id', 'driver_id'])
          .where('key', '=', key)
          .where('revoked_at', 'is', null);
        const [device] = await execute(tx, bound);
        if (device?.driver_id !== row.driver_id)
          throw invalid(['key'], 'the key is bound to another driver, or revoked; make a new one');
        const opened = tables
          .updateTable('driver_sessions')
          .set({ device_id: device.id, hash, opened_at: clockTimestamp, expires_at: shift })
          .where('code_hash', '=', codeHash);
        await execute(tx, opened);
      });
      return { secret, ...(await get(secret)) };
    },
    /** @throws Failure OPERATOR_NOT_AUTHENTICATED for a session that has ended */
    get,
    /** Returns the driver of a session as a caller; null for one that has ended. */
    find: async (secret: string): Promise<Operator | null> => {
      const row = await find(secret);
      if (!row) return null;
      const { driver_id: driverId, carrier_id: carrierId, key } = row;
      return {
        id: driverId,
        // the audit log keeps no name that could be erased
        name: `driver ${driverId}`,
        roles: ['driver'],
        credential: 'device',
        expiresAt: new Date(row.expires_at),
        sessionId: row.id,
        driver: { driverId, carrierId, key },
      };
    },
    /**
     * Prolongs a session by another shift. A repetition, which names the end before, changes nothing.
     * @throws Failure VALIDATION if the device did not sign it, OPERATOR_NOT_AUTHENTICATED
     */
    renew: async (given: { secret: string; expiresAt: string; signature: string }) => {
      const row = await rowOf(given.secret);
      await requireSignature(row.key, given.signature, deviceRenewal(row.id, given.expiresAt));
      if (new Date(row.expires_at).toISOString() === given.expiresAt)
        await execute(
          db,
          tables
            .updateTable('driver_sessions')
            .set({ expires_at: shift })
            .where('id', '=', row.id)
            .where('expires_at', '=', row.expires_at),
        );
      return get(given.secret);
    },
    /** Ends a session; one that has ended stays so. */
    end: async (secret: string) => {
      await execute(
        db,
        tables.deleteFrom('driver_sessions').where('hash', '=', hashSecret(secret)),
      );
      return {};
    },
  };
};

export type DriverSessions = ReturnType<typeof driverSessions>;

/** @throws Failure VALIDATION */
const requireSignature = async (key: string, signature: string, statement: string) => {
  const isSigned = await isDeviceSignature(key, signature, statement).catch((error) => {
    if (error instanceof Rejection) throw invalid(['key'], error.message);
    throw error;
  });
  if (!isSigned) throw invalid(['signature'], 'the device did not sign this');
};
