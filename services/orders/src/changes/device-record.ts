import { deviceStatement, isDeviceSignature } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { invalid } from '@pto/errors';
import { orderCommands } from '@pto/proto/order-commands';
import { entryPayload } from '../domain/decide.ts';
import type { Command, CommandMetadata } from '../domain/order.ts';
import { isDriverCommand, recordedPayload } from '../domain/recorded-payload.ts';
import type { OrderKey } from '../reading/get-order.ts';
import { requireDriver } from './driver-orders.ts';
import { commitPersonal } from './emit-events.ts';

/**
 * Requires that the order is or was the driver's, and that the device signed the record (decision
 * 85). A command without a record passes.
 * @throws Failure NOT_FOUND; VALIDATION at `device`, or for a payload that no entry may have
 */
export const requireSigned = async (
  sql: Sql,
  order: OrderKey,
  command: Command,
  { device, position, payload: more }: CommandMetadata,
): Promise<void> => {
  if (device === null) return;
  await requireDriver(sql, order, device.record.driver_id);
  if (!isDriverCommand(command)) throw invalid(['device'], 'no device signs this command');
  const { entry: internalType } = orderCommands[command.name].event;
  if (command.name === 'condition' && more !== null)
    throw invalid(['payload_json'], 'the readings of a device have no further fields');
  const payload = entryPayload(recordedPayload(command), more);
  const { signature, ...signed } = device.record;
  const statement = deviceStatement({
    order_id: order.orderId,
    internal_type: internalType,
    gps_lat: position?.lat ?? null,
    gps_lng: position?.lng ?? null,
    payload: commitPersonal({ internalType, payload }, device).payload ?? {},
    device: signed,
  });
  if (!(await isDeviceSignature(device.record.key, signature, statement)))
    throw invalid(['device', 'signature'], 'the device did not sign this record');
};
