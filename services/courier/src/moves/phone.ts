/** The phone of an order's driver in the sandbox: it signs as a driver's page does (decision 85). */
import { createECDH, createHash, createPrivateKey, hkdfSync, sign } from 'node:crypto';
import { invented } from '@pto/order-steps';
import { type DriverStep, signStep } from '@pto/order-steps/device-record';
import type { Order } from '@pto/proto/orders/v1/orders';

/**
 * Returns an id that is the same for all processes and calls that mean the same thing.
 * @param names what identifies it.
 * @returns a UUID of version 8 (RFC 9562): the beginning of a SHA-256.
 */
export const idOf = (...names: readonly string[]): string => {
  const bytes = createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const carrierId = idOf('carrier', invented.transportOrganization);

/**
 * Returns the id of a driver whom the courier assigns. Each order has drivers of its own: a
 * revocation concerns all orders of a driver, and must not reach those of another organization.
 */
export const driverIdOf = (orderId: string, name: string): string => idOf('driver', orderId, name);

/** Order of the group of P-256. */
const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Derives a driver's key: 384 bits by HKDF, reduced as FIPS 186-5, A.2.1 says. */
const deviceOf = (secret: Buffer, driverId: string) => {
  const bits = hkdfSync('sha256', secret, '', `pto courier device/1 ${driverId}`, 48);
  const scalar = (BigInt(`0x${Buffer.from(bits).toString('hex')}`) % (groupOrder - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((of) => of.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: d.toString('base64url') };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return {
    key: point.toString('base64url'),
    sign: async (statement: string) =>
      sign('sha256', Buffer.from(statement), { key, dsaEncoding: 'ieee-p1363' }).toString(
        'base64url',
      ),
  };
};

/**
 * Returns the function that finds the phone of an order's driver; undefined: the driver is none whom
 * the courier has assigned. Nothing of a phone is stored: its key follows from the secret.
 */
export const phones =
  (secret: Buffer) =>
  ({ id: orderId, driver, driverId }: Order) => {
    if (!driver || !driverId || driverId !== driverIdOf(orderId, driver)) return undefined;
    const device = deviceOf(secret, driverId);
    const party = { driverId, carrierId, key: device.key };
    return {
      /** The driver, as an option of a call. */
      party,
      /** Returns the metadata of a command that the phone has signed. */
      record: (step: Omit<DriverStep, 'orderId'>) => signStep(device, party, { orderId, ...step }),
    };
  };

export type PhoneOf = ReturnType<typeof phones>;
export type Phone = NonNullable<ReturnType<PhoneOf>>;
