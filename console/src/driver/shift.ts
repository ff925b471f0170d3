/** The session of the driver on this phone (decision 84). Its secret is in a cookie. */
import type { Message } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeFromHttpStatus, errorFromJson } from '@connectrpc/connect/protocol-connect';
import { deviceOpening, deviceRenewal } from '@pto/custody-verifier';
import type { Device } from '@pto/order-steps/device-record';
import type { DriverSession } from '@pto/proto/operators/v1/drivers';
import { isSignedOut } from '../calls/failure.ts';
import { devices, findDevice } from './device.ts';
import { reasonOf } from './reason.ts';
import { noteChange, openStore } from './store.ts';

/** A session as the operators service sends it in JSON. */
type Session = Omit<DriverSession, keyof Message | 'cells'> & { readonly cells?: string[] };
/** With the phone's key with which it was opened. */
export type Shift = Session & { readonly key: string };

const timeoutMs = 15_000;

const send = async (method: string, body?: object): Promise<Response> => {
  const response = await fetch('/driver/session', {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.ok) return response;
  const { status, headers } = response;
  const answer = await response.json().catch(() => null);
  const error = new ConnectError(`HTTP ${status}`, codeFromHttpStatus(status));
  throw errorFromJson(answer, headers, error);
};

/** Returns the shift as the phone last read it; undefined: it has none. */
export const storedShift = async (): Promise<Shift | undefined> =>
  (await openStore()).get('shift', 'shift');

/** Reads the shift. @throws ConnectError: Unauthenticated if it has ended, or the phone has lost its key. */
export const readShift = async (): Promise<Shift> => {
  const before = await storedShift();
  try {
    const { session }: { session: Session } = await (await send('GET')).json();
    return await keep(session);
  } catch (error) {
    if (isSignedOut(error)) await leaveShift(before?.id);
    throw error;
  }
};

/**
 * Opens a shift by a link's code, with the phone's key of this driver. If the response was lost, the
 * same signature opens it again; ECDSA makes another one each time, so the phone keeps it.
 * @throws ConnectError that `failure-words.ts` explains
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
    if (reasonOf(error).subject === 'key') return false;
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
  const { session }: { session: Session } = await response.json();
  return keep(session);
};

/** Ends the shift on this phone. */
export const endShift = async ({ id }: Shift): Promise<void> => {
  await send('DELETE');
  await leaveShift(id);
};

/**
 * Removes what the phone has of orders after a shift, unless another one has begun meanwhile. Records
 * that are not sent stay.
 */
export const leaveShift = async (id: string | undefined): Promise<void> => {
  const writing = (await openStore()).transaction(
    ['shift', 'orders', 'records', 'drafts'],
    'readwrite',
  );
  if ((await writing.objectStore('shift').get('shift'))?.id === id) {
    for (const name of ['shift', 'orders', 'drafts'] as const)
      await writing.objectStore(name).clear();
    const records = writing.objectStore('records');
    for (const { number, state } of await records.getAll())
      if (state !== 'waiting') await records.delete(number!);
  }
  await writing.done;
  noteChange();
};

/** @throws ConnectError Unauthenticated: a browser that has lost its store has a shift that cannot sign. */
export const deviceOfShift = async (key: string): Promise<Device> => {
  const device = await findDevice(key);
  if (!device) throw new ConnectError('This phone has lost its key.', Code.Unauthenticated);
  return device;
};

const keep = async (session: Session): Promise<Shift> => {
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
