import { clone, type DescMethod, type Message } from '@bufbuild/protobuf';
import { execute, isUuid, type Sql } from '@pto/database';
import { invalid } from '@pto/errors';
import type { CallingCarrier } from '@pto/proto/callers';
import { type CommandField, commandRows } from '@pto/proto/order-commands';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { textAt } from '../fields.ts';
import { tables } from '../schema/tables.ts';

/** The field with a record, by the name of the command's RPC. */
const recordFields: ReadonlyMap<string, CommandField> = new Map(
  commandRows.flatMap(({ call, fields = [] }: (typeof commandRows)[number]) => {
    const field = fields.find(({ kind }) => kind === 'record');
    return call && field ? [[call.rpc, field] as const] : [];
  }),
);

/**
 * Returns a call's request with the name of the carrier or driver whose record it names, so that
 * orders can trust both. A request without a record stays as it is. A carrier does not change after
 * its acceptance, before which no driver can be assigned: what is read here holds.
 * @param carrierOf returns the record of an order's carrier; empty: a name alone, or none.
 * @param caller the carrier whose dispatcher calls, who assigns drivers with records alone.
 * @throws Failure VALIDATION for a record that does not exist, is not active, is a driver of another
 *   carrier than the order's, or has another name than the request.
 */
export const fillRecord = async (
  sql: Sql,
  { method, request }: { readonly method: DescMethod; readonly request: Message },
  carrierOf: (orderId: string) => Promise<string>,
  caller?: CallingCarrier,
): Promise<Message> => {
  const field =
    method.parent.typeName === OrderCommandService.typeName
      ? recordFields.get(method.localName)
      : undefined;
  const id = field === undefined ? '' : textAt(request, field.name);
  if (!field) return request;
  const { of, fills } = field.record!;
  const at = [`${of}_id`];
  if (id === '' && caller) throw invalid(at, `name a ${of} of yours by its id`);
  if (id === '') return request;
  const found = isUuid(id) ? await findRecord(sql, of, id) : undefined;
  if (!found) throw invalid(at, `no ${of} has this id`, id);
  if (!found.active) throw invalid(at, `the ${of} is not active`, id);
  if (!found.carrierActive) throw invalid(at, "the driver's carrier is not active", id);
  if (of === 'driver') {
    const carrierId = await carrierOf(textAt(request, 'circumstances.orderId'));
    if ((carrierId !== '' || caller) && carrierId !== found.carrierId)
      throw invalid(at, "the driver does not belong to the order's carrier", id);
  }
  const given = textAt(request, fills);
  if (given !== '' && given !== found.name)
    throw invalid(at, `the ${of} of this id has another name; send one of both`, id);
  return Object.assign(clone(method.input, request), { [fills]: found.name });
};

/** Returns the record of a carrier or driver; undefined: none has this UUID. */
export const findRecord = async (sql: Sql, of: 'carrier' | 'driver', id: string) => {
  const carriers = tables
    .selectFrom('carriers as c')
    .select(['c.id as carrierId', 'c.active as carrierActive']);
  const statement =
    of === 'carrier'
      ? carriers.select(['c.name', 'c.active']).where('c.id', '=', id)
      : carriers
          .innerJoin('drivers as d', 'd.carrier_id', 'c.id')
          .select(['d.name', 'd.active'])
          .where('d.id', '=', id);
  return (await execute(sql, statement))[0];
};
