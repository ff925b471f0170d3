import { BlockList, isIP } from 'node:net';
import type { Declaration } from './declaration.ts';

type Options<T> = Omit<Declaration<T>, 'name' | 'parse'>;

const reject = (expected: string): never => {
  throw new Error(`expected ${expected}`);
};

export const text = (name: string, options: Options<string> = {}): Declaration<string> => ({
  name,
  parse: (t) => t,
  ...options,
});

/** Declares a whole number from `min` (1 by default) to `max` (1,000,000,000 by default). */
export const integer = (
  name: string,
  options: Options<number> & { min?: number; max?: number } = {},
): Declaration<number> => {
  const { min = 1, max = 1_000_000_000, ...rest } = options;
  return {
    name,
    parse: (t) => {
      const n = Number(t);
      return /^\d+$/.test(t) && n >= min && n <= max
        ? n
        : reject(`a whole number from ${min} to ${max}`);
    },
    ...rest,
  };
};

export const port = (name: string, options: Options<number> = {}): Declaration<number> =>
  integer(name, { min: 0, max: 65_535, ...options });

export const flag = (name: string, options: Options<boolean> = {}): Declaration<boolean> => ({
  name,
  parse: (t) => (t === 'true' ? true : t === 'false' ? false : reject('true or false')),
  ...options,
});

export const oneOf = <T extends string>(
  name: string,
  values: readonly T[],
  options: Options<T> = {},
): Declaration<T> => ({
  name,
  parse: (t) => values.find((v) => v === t) ?? reject(values.join(' or ')),
  ...options,
});

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses a duration such as `250ms`, `10s`, `5m`, `4h`, `3d` or `19h24m`. Returns milliseconds.
 * @throws Error for any other text, and for less than 1 ms.
 */
export const parseDurationMs = (t: string): number => {
  const parts = [...t.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  const whole = parts.map((p) => p[0]).join('');
  const ms = parts.reduce((sum, p) => sum + Number(p[1]) * unitMs[p[2]!]!, 0);
  return whole === t && t !== '' && ms >= 1 && Number.isSafeInteger(ms)
    ? ms
    : reject('a duration of at least 1ms, such as 250ms, 10s, 5m, 4h or 3d');
};

export const durationMs = (name: string, options: Options<number> = {}): Declaration<number> => ({
  name,
  parse: parseDurationMs,
  ...options,
});

/** Declares a comma-separated list; `part` parses each trimmed part. */
export const list = <T>(
  name: string,
  part: (text: string) => T,
  options: Options<readonly T[]> = {},
): Declaration<readonly T[]> => ({
  name,
  parse: (t) =>
    t
      .split(',')
      .map((p) => p.trim())
      .filter((p) => p !== '')
      .map(part),
  ...options,
});

const parseUrl =
  (schemes: readonly string[]) =>
  (t: string): string => {
    const parsed = URL.canParse(t) ? new URL(t) : undefined;
    return parsed && schemes.includes(parsed.protocol.slice(0, -1))
      ? t
      : reject(`a URL beginning with ${schemes.map((s) => `${s}://`).join(' or ')}`);
  };

/** Declares a URL with one of the given schemes (without colon). */
export const url = (
  name: string,
  schemes: readonly string[],
  options: Options<string> = {},
): Declaration<string> => ({ name, parse: parseUrl(schemes), ...options });

/** Declares comma-separated URLs: the replicas of a service. */
export const urls = (
  name: string,
  schemes: readonly string[],
  options: Options<readonly string[]> = {},
): Declaration<readonly string[]> => list(name, parseUrl(schemes), options);

const parseBase64Key = (t: string): Buffer => {
  const bytes = Buffer.from(t, 'base64');
  return bytes.length === 32 ? bytes : reject('32 bytes in base64');
};

/** Declares a secret key of 32 bytes in base64. */
export const base64Key = (name: string, options: Options<Buffer> = {}): Declaration<Buffer> => ({
  name,
  parse: parseBase64Key,
  secret: true,
  ...options,
});

/** Declares comma-separated secret keys of 32 bytes in base64, at least one. */
export const base64Keys = (name: string): Declaration<readonly [Buffer, ...Buffer[]]> => ({
  name,
  parse: (t) => {
    const [first, ...others] = list(name, parseBase64Key).parse(t);
    return first ? [first, ...others] : reject('at least one key of 32 bytes in base64');
  },
  secret: true,
});

/** Declares address ranges, such as `10.0.0.0/8,::1/128`; `check(address)` tests an address. */
export const cidrs = (name: string, options: Options<BlockList> = {}): Declaration<BlockList> => ({
  name,
  parse: parseCidrs,
  ...options,
});

/** Parses comma-separated address ranges. @throws Error for any other text. */
export const parseCidrs = (t: string): BlockList => {
  const ranges = new BlockList();
  for (const range of t.split(',').filter((r) => r.trim() !== '')) {
    const [address = '', bits] = range.trim().split('/');
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || !(bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most)))
      reject('CIDRs such as 10.0.0.0/8');
    ranges.addSubnet(address, bits === undefined ? most : Number(bits), `ipv${family as 4 | 6}`);
  }
  return ranges;
};

/** The cell that every installation has: that of a setting that names none. */
export const mainCell = 'main';

const cellForm = /^([a-z][a-z0-9-]{0,30})=(.*)$/s;

/**
 * Declares a setting with a value for each cell, the main one first: `main=VALUE;north=VALUE`. A
 * text without names is the value of the main cell.
 */
export const byCell = <T>(of: Declaration<T>): Declaration<ReadonlyMap<string, T>> => {
  const { name, parse, fallback, secret } = of;
  return {
    name,
    parse: (t) => {
      if (!cellForm.test(t)) return new Map([[mainCell, parse(t)]]);
      const cells = new Map<string, T>();
      for (const part of t.split(';').filter((p) => p.trim() !== '')) {
        const [, cell, value] = cellForm.exec(part.trim()) ?? [];
        if (cell === undefined || value === undefined || cells.has(cell))
          return reject(`a value for each cell once, such as main=…;north=…, not '${part}'`);
        cells.set(cell, parse(value));
      }
      if (cells.keys().next().value !== mainCell) reject(`the cell ${mainCell} first`);
      return cells;
    },
    ...(fallback !== undefined && { fallback: new Map([[mainCell, fallback]]) }),
    ...(secret !== undefined && { secret }),
  };
};
