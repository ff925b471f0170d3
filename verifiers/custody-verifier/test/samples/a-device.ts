/** A device whose signatures are the same in each run, so that vectors can hold them. */
import { createHash } from 'node:crypto';
import { type DeviceRecord, deviceStatement, type SignedRecord } from '../../src/index.ts';

const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
/** The order of the group of P-256 (SEC 2, 2.4.2), and its generator. */
export const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const generator: Point = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
];
type Point = readonly [x: bigint, y: bigint];

const mod = (value: bigint, by: bigint) => ((value % by) + by) % by;
const power = (base: bigint, exponent: bigint, by: bigint): bigint => {
  if (exponent === 0n) return 1n;
  const half = power(mod(base * base, by), exponent / 2n, by);
  return exponent % 2n === 1n ? mod(base * half, by) : half;
};
const inverse = (value: bigint, by: bigint) => power(mod(value, by), by - 2n, by);
const add = (one: Point | null, two: Point | null): Point | null => {
  if (!one || !two) return one ?? two;
  if (one[0] === two[0] && one[1] !== two[1]) return null;
  const slope =
    one[0] === two[0]
      ? (3n * one[0] * one[0] - 3n) * inverse(2n * one[1], p)
      : (two[1] - one[1]) * inverse(two[0] - one[0], p);
  const x = mod(slope * slope - one[0] - two[0], p);
  return [x, mod(slope * (one[0] - x) - one[1], p)];
};
const times = (factor: bigint, point: Point): Point | null => {
  if (factor === 0n) return null;
  const half = times(factor / 2n, point);
  const double = add(half, half);
  return factor % 2n === 1n ? add(double, point) : double;
};
const number = (of: string) => BigInt(`0x${createHash('sha256').update(of).digest('hex')}`);
const bytesOf = (...numbers: readonly bigint[]) =>
  Buffer.from(numbers.map((one) => one.toString(16).padStart(64, '0')).join(''), 'hex');

/** 64 bytes of base64url. */
export const signatureOf = (r: bigint, s: bigint) => bytesOf(r, s).toString('base64url');
/** The numbers of a signature. */
export const numbersOf = (signature: string): readonly [r: bigint, s: bigint] => {
  const hex = Buffer.from(signature, 'base64url').toString('hex');
  return [BigInt(`0x${hex.slice(0, 64)}`), BigInt(`0x${hex.slice(64)}`)];
};

/** @param name names the device: another one has another key. */
export const aDevice = (name: string) => {
  const secret = mod(number(name), groupOrder);
  const [x, y] = times(secret, generator)!;
  const key = Buffer.concat([Buffer.of(4), bytesOf(x, y)]).toString('base64url');
  const sign = (statement: string): string => {
    const k = mod(number(`${name} ${statement}`), groupOrder);
    const r = mod(times(k, generator)![0], groupOrder);
    const s = mod(inverse(k, groupOrder) * (number(statement) + r * secret), groupOrder);
    return signatureOf(r, s);
  };
  return {
    key,
    sign,
    /** Returns the member `device` of a payload. */
    record: (signed: Omit<SignedRecord, 'device'>, more: Partial<DeviceRecord>): DeviceRecord => {
      const device = {
        ...({ v: 'device/1', key, seen: null, at: '2026-01-15T09:20:00.000Z' } as const),
        driver_id: '0196f000-0000-7000-8000-000000000001',
        carrier_id: '0196f000-0000-7000-8000-000000000002',
        command_id: '0196f000-0000-7000-8000-000000000003',
        ...more,
      };
      const { signature: _, ...unsigned } = { signature: '', ...device };
      return { ...unsigned, signature: sign(deviceStatement({ ...signed, device: unsigned })) };
    },
  };
};
