/**
 * The records of the driver. Each is signed when it is made, kept on the phone, and sent in its turn:
 * a phone without a network loses none, and sends none twice (its command id).
 */
import { commitmentOf, deviceStatement, type SignedRecord } from '@pto/custody-verifier';
import { payloadField } from '@pto/proto/payload-fields';
import { openDevice } from './device.ts';
import type { KnownOrder } from './known-orders.ts';
import type { Shift } from './shift.ts';
import { hex, prepare, type Step } from './steps.ts';
import { noteChange, openStore } from './store.ts';

export interface DriverRecord {
  /** Its place in the order of all records; the store gives it. */
  readonly number?: number;
  readonly orderId: string;
  readonly driverId: string;
  readonly step: Step;
  readonly rpc: string;
  /** The signed request, as it is sent. */
  readonly request: object;
  /** The phone's time. */
  readonly at: string;
  /**
   * `waiting`: not sent. `sent`: an entry of the history. `kept`: it could not be applied, and the
   * history keeps it. `rejected`: the history has nothing of it.
   */
  readonly state: 'waiting' | 'sent' | 'kept' | 'rejected';
  /** Why it could not be applied. */
  readonly failure?: {
    readonly kind: string;
    readonly message: string;
    readonly entry?: number;
  };
}

export interface Position {
  readonly lat: number;
  readonly lng: number;
}

/** Signs a step and keeps it. It is sent afterwards (`sender.ts`). */
export const addRecord = async (
  { id: orderId, seen }: Pick<KnownOrder, 'id' | 'seen'>,
  { driverId, carrierId }: Shift,
  step: Step,
  position: Position | null,
): Promise<void> => {
  const device = await openDevice();
  const { rpc, internalType, fields, payload } = await prepare(step);
  const [at, commandId] = [new Date().toISOString(), crypto.randomUUID()];
  const salts: Record<string, string> = {};
  const committed = Object.entries(payload).map(([field, value]) => {
    if (payloadField(internalType, field) === 'open' || value === null) return [field, value];
    const salt = hex(crypto.getRandomValues(new Uint8Array(32)).buffer);
    salts[field] = salt;
    return [field, { commitment: commitmentOf(field, { value, salt }) }];
  });
  const signed: SignedRecord['device'] = {
    v: 'device/1',
    ...{ key: device.key, at, seen, command_id: commandId },
    ...{ driver_id: driverId, carrier_id: carrierId },
  };
  const statement = deviceStatement({
    ...{ order_id: orderId, internal_type: internalType, device: signed },
    ...{ gps_lat: position?.lat ?? null, gps_lng: position?.lng ?? null },
    payload: Object.fromEntries(committed),
  });
  const circumstances = {
    ...{ orderId, commandId },
    ...(position && { position }),
    device: {
      ...{ publicKey: device.key, at, salts, signature: await device.sign(statement) },
      ...{ seenEntry: seen?.entry ?? 0, seenHash: seen?.hash ?? '' },
    },
  };
  const request = { circumstances, ...fields };
  const store = await openStore();
  await store.add('records', { orderId, driverId, step, rpc, request, at, state: 'waiting' });
  noteChange();
};
