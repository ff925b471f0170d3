import { type Database, execute, fragment, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import type { CallingCarrier } from '@pto/proto/callers';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { orderCommands } from '@pto/proto/order-commands';
import { type Implementation, implement } from '@pto/rpc';
import { found, nextIdOf, pageSize, requireId, requireName, shown, startOf } from '../fields.ts';
import { tables } from '../schema/tables.ts';

/** As of the names without a record, which stand in the same places. */
const [{ max: nameMax }] = orderCommands.driver.fields;
/** As of a location's `contact_phone` (contract 2.3), which has no other rule. */
const telephoneMax = 50;

const requireRecordName = (name: string) => requireName(name, { min: 1, max: nameMax });
const requireTelephone = (telephone: string) =>
  requireName(telephone, { min: 0, max: telephoneMax, field: 'telephone' });

/** Returns the columns to change; an absent field does not change. @throws Failure VALIDATION */
const changes = ({
  name,
  telephone,
  active,
}: {
  readonly name?: string | undefined;
  readonly telephone?: string | undefined;
  readonly active?: boolean | undefined;
}) => {
  if (name === undefined && telephone === undefined && active === undefined)
    throw invalid(['update'], 'name at least one field to change');
  return {
    ...(name !== undefined && { name: requireRecordName(name) }),
    ...(telephone !== undefined && { telephone: requireTelephone(telephone) }),
    ...(active !== undefined && { active }),
  };
};

/** @throws Failure VALIDATION if the statement breaks an index of active names. */
const unlessTaken = <Row>(what: string, statement: Promise<Row>): Promise<Row> =>
  statement.catch((error: { readonly code?: unknown }) => {
    if (error.code === '23505') throw invalid(['name'], `another active ${what} has this name`);
    throw error;
  });

/**
 * Serves the records of carriers and drivers. Orders name them, so a record is never deleted: it
 * becomes inactive. The drivers of an inactive carrier stay as they are (`fillRecord`).
 * @param own the carrier whose dispatcher calls: other carriers and their drivers do not exist then.
 */
export const carrierService = (db: Database, own?: CallingCarrier): Implementation =>
  implement(CarrierService, {
    listCarriers: async ({ afterId }) => {
      const page = tables
        .selectFrom('carriers')
        .selectAll()
        .where('id', '>', startOf(afterId, 'carrier'))
        .$if(own !== undefined, (rows) => rows.where('id', '=', own!.carrierId))
        .orderBy('id')
        .limit(pageSize);
      const rows = await execute(db, page);
      return { carriers: rows.map(shown), nextId: nextIdOf(rows) };
    },
    createCarrier: async ({ name, telephone }) => {
      const values = { name: requireRecordName(name), telephone: requireTelephone(telephone) };
      const statement = tables
        .insertInto('carriers')
        .values({ id: uuidv7(), ...values })
        .returningAll();
      const [row] = await unlessTaken('carrier', execute(db, statement));
      return { carrier: shown(row!) };
    },
    updateCarrier: async ({ id, ...given }) => {
      const statement = tables
        .updateTable('carriers')
        .set(changes(given))
        .where('id', '=', requireId(id, 'carrier'))
        .returningAll();
      const carrier = found(await unlessTaken('carrier', execute(db, statement)), 'carrier');
      const drivers = tables
        .selectFrom('drivers')
        .select(fragment<number>`count(*)::int`.as('count'))
        .where('carrier_id', '=', id)
        .where('active', '=', true);
      return { carrier: shown(carrier), activeDrivers: (await execute(db, drivers))[0]!.count };
    },
    listDrivers: async ({ afterId, carrierId }) => {
      const page = tables
        .selectFrom('drivers')
        .selectAll()
        .where('id', '>', startOf(afterId, 'driver'))
        .$if(carrierId !== '', (rows) =>
          rows.where('carrier_id', '=', requireId(carrierId, 'carrier')),
        )
        .$if(own !== undefined, (rows) => rows.where('carrier_id', '=', own!.carrierId))
        .orderBy('id')
        .limit(pageSize);
      const rows = await execute(db, page);
      return { drivers: rows.map(shown), nextId: nextIdOf(rows) };
    },
    createDriver: async ({ carrierId, name, telephone }) => {
      const values = { name: requireRecordName(name), telephone: requireTelephone(telephone) };
      const known = tables
        .selectFrom('carriers')
        .select('id')
        .where('id', '=', requireId(carrierId, 'carrier'))
        .$if(own !== undefined, (rows) => rows.where('id', '=', own!.carrierId));
      const { id: carrier_id } = found(await execute(db, known), 'carrier');
      const statement = tables
        .insertInto('drivers')
        .values({ id: uuidv7(), carrier_id, ...values })
        .returningAll();
      const [row] = await unlessTaken('driver of the carrier', execute(db, statement));
      return { driver: shown(row!) };
    },
    updateDriver: async ({ id, ...given }) => {
      const statement = tables
        .updateTable('drivers')
        .set(changes(given))
        .where('id', '=', requireId(id, 'driver'))
        .$if(own !== undefined, (rows) => rows.where('carrier_id', '=', own!.carrierId))
        .returningAll();
      const rows = await unlessTaken('driver of the carrier', execute(db, statement));
      return { driver: shown(found(rows, 'driver')) };
    },
  });
