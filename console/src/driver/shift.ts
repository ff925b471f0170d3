/** The session of the driver on this phone (decision 84). Its secret is in a cookie. */
import { deviceOpening, deviceRenewal } from '@pto/custody-verifier';
import { ApiError } from '../calls/failure.ts';
import { forgetDevice, openDevice } from './device.ts';
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

/** Reads the shift. @throws ApiError, with 401 if it has ended. */
export const readShift = async (): Promise<Shift> => {
  const { session }: { session: Shift } = await (await send('GET')).json();
  return keep(session);
};

/**
 * Opens a shift by a link's code, with the phone's key. If the response was lost, the same signature
 * opens it again; ECDSA makes another one each time, so the phone keeps it. A key that is another
 * driver's, or that was revoked, is replaced.
 * @throws ApiError with a sentence for the person.
 */
export const openShift = async (code: string): Promise<void> => {
  const opening = await openingOf(code);
  try {
    await send('POST', opening);
  } catch (error) {
    if (!(error instanceof ApiError) || !/^key\b/.test(error.message)) throw error;
    await forgetDevice();
    await send('POST', await openingOf(code));
  }
};

const openingOf = async (code: string) => {
  const [store, device] = [await openStore(), await openDevice()];
  const kept = await store.get('opening', 'opening');
  if (kept?.code === code && kept.key === device.key) return kept;
  const signature = await device.sign(deviceOpening(code));
  const opening: Opening = { code, key: device.key, signature };
  await store.put('opening', opening, 'opening');
  return opening;
};

/** What a phone proves its key with. */
export interface Opening {
  readonly code: string;
  readonly key: string;
  readonly signature: string;
}

/** Prolongs the shift. */
export const renewShift = async ({ id, expiresAt }: Shift): Promise<Shift> => {
  const device = await openDevice();
  const signature = await device.sign(deviceRenewal(id, expiresAt));
  const { session }: { session: Shift } = await (
    await send('PUT', { expiresAt, signature })
  ).json();
  return keep(session);
};

/** Ends the shift on this phone. Its records stay. */
export const endShift = async (): Promise<void> => {
  await send('DELETE');
  await (await openStore()).delete('shift', 'shift');
  noteChange();
};

const keep = async (shift: Shift): Promise<Shift> => {
  const store = await openStore();
  await store.put('shift', shift, 'shift');
  await store.delete('opening', 'opening');
  noteChange();
  return shift;
};
