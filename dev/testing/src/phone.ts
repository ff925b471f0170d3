/** A driver's phone: a key that stays in it, and records that it signs (decision 85). */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  commitmentOf,
  type DeviceRecord,
  deviceStatement,
  type SignedRecord,
} from '@pto/custody-verifier';
import { payloadField } from '@pto/proto/payload-fields';

/** A step that a driver records. */
export interface PhoneStep {
  readonly orderId: string;
  readonly internalType: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly position?: { readonly lat: number; readonly lng: number };
  readonly at?: string;
  readonly seen?: DeviceRecord['seen'];
  readonly commandId?: string;
}

export type Phone = Awaited<ReturnType<typeof aPhone>>;

export const aPhone = async () => {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
  const base64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url');
  const key = base64url(await crypto.subtle.exportKey('raw', pair.publicKey));
  const sign = async (statement: string): Promise<string> => {
    const by = { name: 'ECDSA', hash: 'SHA-256' };
    const bytes = new TextEncoder().encode(statement);
    return base64url(await crypto.subtle.sign(by, pair.privateKey, bytes));
  };
  return {
    key,
    sign,
    /** Returns what a command carries beside its own fields. */
    record: async (driver: { driverId: string; carrierId: string }, step: PhoneStep) => {
      const { orderId, internalType, payload = {}, position, seen = null } = step;
      const { at = new Date().toISOString(), commandId = randomUUID() } = step;
      const salts: Record<string, string> = {};
      const committed = Object.entries(payload).map(([field, value]) => {
        if (payloadField(internalType, field) === 'open' || value === null) return [field, value];
        const salt = randomBytes(32).toString('hex');
        salts[field] = salt;
        return [field, { commitment: commitmentOf(field, { value, salt }) }];
      });
      const device: SignedRecord['device'] = {
        v: 'device/1',
        ...{ key, at, seen, command_id: commandId },
        ...{ driver_id: driver.driverId, carrier_id: driver.carrierId },
      };
      const statement = deviceStatement({
        ...{ order_id: orderId, internal_type: internalType, device },
        ...{ gps_lat: position?.lat ?? null, gps_lng: position?.lng ?? null },
        payload: Object.fromEntries(committed),
      });
      return {
        ...{ orderId, commandId },
        ...(position && { position }),
        device: {
          ...{ publicKey: key, at, salts, signature: await sign(statement) },
          ...{ seenEntry: seen?.entry ?? 0, seenHash: seen?.hash ?? '' },
        },
      };
    },
  };
};
