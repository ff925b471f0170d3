/** What a driver's device sends with a command, signed at the source (decision 85). */
import { commitmentOf, type DeviceRecord, deviceStatement } from '@pto/custody-verifier';
import { payloadField } from '@pto/proto/payload-fields';

/** A P-256 key that signs for one driver. */
export interface Device {
  /** An uncompressed point: 65 bytes in base64url. */
  readonly key: string;
  /** Returns r and s, 64 bytes in base64url. */
  readonly sign: (statement: string) => Promise<string>;
}

/** A step that a driver records. */
export interface DriverStep {
  readonly orderId: string;
  readonly internalType: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly position?: { readonly lat: number; readonly lng: number } | null;
  /** The device's time, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  /** The newest entry that the device has seen. */
  readonly seen?: DeviceRecord['seen'];
  readonly commandId: string;
}

/** Signs a step. Returns the metadata of its command. Personal fields of the payload are committed. */
export const signStep = async (
  device: Device,
  { driverId, carrierId }: { readonly driverId: string; readonly carrierId: string },
  { orderId, internalType, payload = {}, position, at, seen = null, commandId }: DriverStep,
) => {
  const salts: Record<string, string> = {};
  const committed = Object.entries(payload).map(([field, value]) => {
    if (payloadField(internalType, field) === 'open' || value === null) return [field, value];
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const salt = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    salts[field] = salt;
    return [field, { commitment: commitmentOf(field, { value, salt }) }];
  });
  const statement = deviceStatement({
    ...{ order_id: orderId, internal_type: internalType },
    ...{ gps_lat: position?.lat ?? null, gps_lng: position?.lng ?? null },
    payload: Object.fromEntries(committed),
    device: {
      v: 'device/1',
      ...{ key: device.key, at, seen, command_id: commandId },
      ...{ driver_id: driverId, carrier_id: carrierId },
    },
  });
  return {
    ...{ orderId, commandId },
    ...(position && { position }),
    device: {
      ...{ publicKey: device.key, at, salts, signature: await device.sign(statement) },
      ...{ seenEntry: seen?.entry ?? 0, seenHash: seen?.hash ?? '' },
    },
  };
};
