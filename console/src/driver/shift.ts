/** The session of the driver on this phone (decision 84). Its secret is in a cookie. */
import { deviceOpening, deviceRenewal } from '@pto/custody-verifier';
import type { Device } from '@pto/order-steps/device-record';
import { ApiError } from '../calls/failure.ts';
import { devices, findDevice } from './device.ts';
import { forgetOrders } from './known-orders.ts';
import { noteChange, openStore } from './store.ts';

/** As `DriverSession` of the operators service. */
export interface Shift {
  readonly id: string;
  readonly driverId: string;
  readonly driver: string;
  readonly carrierId: string;
  readonly carrier: string;
  readonly deviceId: string;
  readonly expiresAt: string;
  readonly environment: string;
  readonly cells?: readonly string[];
  /** Whom the driver calls about an order; absent: the carrier has no number. */
  readonly carrierTelephone?: string;
  /** The phone's key with which it was opened. */
  readonly key: string;
}

const timeoutMs = 15_000;

const send = async (method: string, body?: object): Promise<Response> => {
  const response = await fetch('/driver/session', {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new ApiError(undefined, '', '');
  });
  if (response.ok) return response;
  const { message = '' }: { message?: string } = await response.json().catch(() => ({}));
  throw new ApiError(response.status, response.status < 500 ? 'REJECTED' : '', message);
};

/** Returns the shift as the phone last read it; undefined: it has none. */
export const storedShift = async (): Promise<Shift | undefined> =>
  (await openStore()).get('shift', 'shift');

/** Reads the shift. @throws ApiError, with 401 if it has ended, or the phone has lost its key. */
export const readShift = async (): Promise<Shift> => {
  const { session }: { session: Omit<Shift, 'key'> } = await (await send('GET')).json();
  return keep(session);
};

/**
 * Opens a shift by a link's code, with the phone's key of this driver. If the response was lost, the
 * same signature opens it again; ECDSA makes another one each time, so the phone keeps it.
 * @throws ApiError with a sentence for the person.
 */
export const openShift = async (code: string): Promise<void> => {
  const kept = await (await openStore()).get('opening', 'opening');
  if (kept?.code === code && (await isOpenedWith(kept))) return;
  for await (const device of devices())
    if (await isOpenedWith(await newOpening(code, device))) return;
};

/** Returns false if the key is another driver's, or revoked. The link stays unused. */
const isOpenedWith = async (opening: Opening): Promise<boolean> => {
  try {
    await send('POST', opening);
    return true;
  } catch (error) {
    if (error instanceof ApiError && /^key\b/.test(error.message)) return false;
    throw error;
  }
};

const newOpening = async (code: string, { key, sign }: Device): Promise<Opening> => {
  const opening: Opening = { code, key, signature: await sign(deviceOpening(code)) };
  await (await openStore()).put('opening', opening, 'opening');
  return opening;
};

/** What a phone proves its key with. */
export interface Opening {
  readonly code: string;
  readonly key: string;
  readonly signature: string;
}

/** Prolongs the shift. */
export const renewShift = async ({ id, expiresAt, key }: Shift): Promise<Shift> => {
  const signature = await (await deviceOfShift(key)).sign(deviceRenewal(id, expiresAt));
  const response = await send('PUT', { expiresAt, signature });
  const { session }: { session: Omit<Shift, 'key'> } = await response.json();
  return keep(session);
};

/** Ends the shift on this phone. Records that are not sent stay, with their orders. */
export const endShift = async (): Promise<void> => {
  await send('DELETE');
  await (await openStore()).delete('shift', 'shift');
  await forgetOrders();
  noteChange();
};

/** @throws ApiError with 401: a browser that has lost its store has a shift that cannot sign. */
export const deviceOfShift = async (key: string): Promise<Device> => {
  const device = await findDevice(key);
  if (!device)
    throw new ApiError(401, 'REJECTED', 'This phone has lost its key. Ask for a new link.');
  return device;
};

const keep = async (session: Omit<Shift, 'key'>): Promise<Shift> => {
  const store = await openStore();
  const before = await store.get('shift', 'shift');
  const opening = await store.get('opening', 'opening');
  const key = before?.id === session.id ? before.key : (opening?.key ?? '');
  await deviceOfShift(key);
  const shift = { ...session, key };
  await store.put('shift', shift, 'shift');
  await store.delete('opening', 'opening');
  noteChange();
  return shift;
};
