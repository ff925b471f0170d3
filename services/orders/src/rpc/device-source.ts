import { invalid } from '@pto/errors';
import type { Caller } from '@pto/proto/callers';
import type { DeviceRecord as RecordMessage } from '@pto/proto/orders/v1/commands';
import type { DeviceSource } from '../domain/order.ts';

const hash = /^[0-9a-f]{64}$/;

/**
 * Reads the record of a device: a driver must send one, of the device that has the session, and
 * nobody else may (decision 85). Its signature is verified later (`requireSigned`).
 * @throws Failure VALIDATION
 */
export const readDevice = (
  message: RecordMessage | undefined,
  commandId: string,
  { driver }: Caller,
): DeviceSource | null => {
  if (!message && !driver) return null;
  if (!driver) throw invalid(['device'], 'only the device of a driver sends this');
  if (!message) throw invalid(['device'], "a driver's command needs the record of the device");
  const { publicKey: key, at, seenEntry, seenHash, salts, signature } = message;
  if (key !== driver.key)
    throw invalid(['device', 'public_key'], 'another device has this session');
  if (commandId === '') throw invalid(['command_id'], 'a device names each command');
  if (Number.isNaN(Date.parse(at)) || new Date(at).toISOString() !== at)
    throw invalid(['device', 'at'], 'expected YYYY-MM-DDTHH:mm:ss.sssZ', at);
  if (seenEntry === 0 ? seenHash !== '' : !hash.test(seenHash))
    throw invalid(['device', 'seen_hash'], 'expected the hash of the entry that was seen');
  if (!Object.values(salts).every((salt) => hash.test(salt)))
    throw invalid(['device', 'salts'], 'a salt has 64 hexadecimal digits');
  return {
    salts,
    record: {
      v: 'device/1',
      ...{ key, at, signature },
      driver_id: driver.driverId,
      carrier_id: driver.carrierId,
      command_id: commandId.toLowerCase(),
      seen: seenEntry === 0 ? null : { entry: seenEntry, hash: seenHash },
    },
  };
};
