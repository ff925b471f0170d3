/** A driver's phone: a key that stays in it, and records that it signs (decision 85). */
import { randomUUID } from 'node:crypto';
import { type DriverStep, signStep } from '@pto/order-steps/device-record';

/** A step that a driver records: now, by a command of its own, unless it says otherwise. */
export type PhoneStep = Omit<DriverStep, 'at' | 'commandId'> &
  Partial<Pick<DriverStep, 'at' | 'commandId'>>;

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
    record: (driver: { driverId: string; carrierId: string }, step: PhoneStep) => {
      const { at = new Date().toISOString(), commandId = randomUUID() } = step;
      return signStep({ key, sign }, driver, { ...step, at, commandId });
    },
  };
};
