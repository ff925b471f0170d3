import { hashSecret, newCheckedSecret } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import type { CallingCarrier } from '@pto/proto/callers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import type { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { type ConnectClient, type Implementation, implement } from '@pto/rpc';
import { findRecord } from '../carriers/fill-record.ts';
import { found, notFound, pageSize, readTime, requireId, shown } from '../fields.ts';
import { driverCodePrefix } from '../identity/driver-sessions.ts';
import { linkUrl } from '../portal/links.ts';
import { tables } from '../schema/tables.ts';

/** A link is handed out before a shift and opened at its beginning. */
const opensUntil = fragment<string>`clock_timestamp() + interval '12 hours'`;

const columns = ['id', 'driver_id', 'key', 'bound_at', 'revoked_at', 'revoked_from'] as const;

/**
 * Serves what the office does about drivers' phones (decisions 84 and 85).
 * @param orders of every cell.
 * @param own the carrier whose dispatcher calls: drivers of others do not exist then.
 */
export const driverService = (
  db: Database,
  portalUrl: string,
  orders: readonly Pick<ConnectClient<typeof OrderCommandService>, 'recordDeviceRevocation'>[],
  own?: CallingCarrier,
): Implementation => {
  const requireDriver = async (id: string) => {
    const driver = await findRecord(db, 'driver', requireId(id, 'driver'));
    if (!driver || (own && driver.carrierId !== own.carrierId)) throw notFound('driver');
    return driver;
  };
  return implement(DriverService, {
    createDriverLink: async ({ driverId }) => {
      const code = newCheckedSecret(driverCodePrefix);
      const url = linkUrl(portalUrl, '/driver', code);
      const driver = await requireDriver(driverId);
      if (!driver.active || !driver.carrierActive)
        throw invalid(['driver_id'], 'the driver or the carrier is not active', driverId);
      // the newest link of a driver is the one that works
      const unopened = tables
        .deleteFrom('driver_sessions')
        .where(({ eb, and, or }) =>
          or([
            eb('expires_at', '<', clockTimestamp),
            and([eb('driver_id', '=', driverId), eb('hash', 'is', null)]),
          ]),
        );
      await execute(db, unopened);
      const link = tables
        .insertInto('driver_sessions')
        .values({
          ...{ id: uuidv7(), driver_id: driverId, code_hash: hashSecret(code) },
          ...{ opens_until: opensUntil, expires_at: opensUntil },
        })
        .returning('opens_until');
      const [row] = await execute(db, link);
      return { url, opensUntil: new Date(row!.opens_until).toISOString() };
    },
    listDevices: async ({ driverId }) => {
      await requireDriver(driverId);
      const devices = tables
        .selectFrom('driver_devices as v')
        .select(columns.map((column) => `v.${column}` as const))
        .select(({ selectFrom }) =>
          selectFrom('driver_sessions as s')
            .select(({ fn }) => fn.max('s.expires_at').as('until'))
            .whereRef('s.device_id', '=', 'v.id')
            .where('s.expires_at', '>', clockTimestamp)
            .as('session_until'),
        )
        .where('v.driver_id', '=', driverId)
        .orderBy('v.id', 'desc')
        .limit(pageSize);
      return { devices: (await execute(db, devices)).map(shown) };
    },
    revokeDevice: async ({ id, from: given }) => {
      const from = readTime(given, 'from')?.toISOString() ?? null; // null: now
      const revocation = tables
        .updateTable('driver_devices')
        .set(({ fn, ref }) => ({
          revoked_at: fn.coalesce('revoked_at', clockTimestamp),
          revoked_from: fn.coalesce(
            ref('revoked_from'),
            fragment<string>`least(${from}::timestamptz, clock_timestamp())`,
          ),
        }))
        .where('id', '=', requireId(id, 'device'))
        .$if(own !== undefined, (devices) =>
          devices.where('driver_id', 'in', (drivers) =>
            drivers.selectFrom('drivers').select('id').where('carrier_id', '=', own!.carrierId),
          ),
        )
        .returning(columns);
      const device = shown(found(await execute(db, revocation), 'device'));
      await execute(db, tables.deleteFrom('driver_sessions').where('device_id', '=', id));
      // every history with a record of the device says so; a repetition adds what is missing
      const said = { driverId: device.driverId, key: device.key, from: device.revokedFrom! };
      for (const cell of orders) await cell.recordDeviceRevocation(said);
      return { device };
    },
  });
};
