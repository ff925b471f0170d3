import { randomUUID } from 'node:crypto';
import { parseDurationMs, parseInstantMs } from '@pto/config';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Thrown for flags that contradict each other. A single invalid flag is reported by Commander. */
export class WrongUsage extends Error {}

const usage = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};

/** Ten years, the longest expiry of a key; the gateway has closer limits for each value. */
const durationMaxMs = 3660 * 86_400_000;

const duration = (text: string, maxMs = durationMaxMs, says = '3660d'): number => {
  if (/^0(ms|s|m|h|d)?$/.test(text)) return 0;
  const ms = usage(() => parseDurationMs(text));
  if (ms > maxMs) throw new InvalidArgumentError(`expected at most ${says}`);
  return ms;
};

/** Parses a duration such as `90s`, `24h` or `7d` and returns whole seconds, rounded up. */
export const seconds = (text: string): number => Math.ceil(duration(text) / 1000);

/** Parses a pause, at most 24 h, and returns milliseconds. */
export const pauseMs = (text: string): number => duration(text, 86_400_000, '24h');

/**
 * Parses a time, which is UTC without an offset (decision 6).
 * @returns the time in RFC 3339
 */
const instant = (text: string): string => new Date(usage(() => parseInstantMs(text))).toISOString();

/** Returns a time of the day such as `14:05` as it is; parses any other as `instant` does. */
export const clockOrInstant = (text: string): string =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : instant(text);

/** Parses a time as `instant` does, or a duration before now such as `24h`. */
export const instantOrAgo = (text: string): string =>
  /^\d+(ms|s|m|h|d)/.test(text)
    ? new Date(Date.now() - duration(text)).toISOString()
    : instant(text);

export const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
};

const degrees = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('expected degrees, such as 52.520008');
  return value;
};

/**
 * Parses one occurrence of a flag that may be given several times. Returns the values of the
 * earlier occurrences and then this value.
 */
export const collect = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  text,
];

/** Adds `--limit` to a list, newest or most urgent first. @param limit the default; 0: all. */
export const withLimit = (command: Command, limit = 0): Command =>
  command.option('--limit <n>', 'at most so many; 0 for all', count, limit);

/** Rows of a log that a command reads at once at most, and prints by default. */
export const [pageMax, newestMax] = [1000, 200];

/** Parses a comma-separated flag. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

interface Flags {
  readonly lat?: number;
  readonly lng?: number;
  readonly at?: string;
  readonly payload?: string;
  readonly commandId?: string;
}

/** Adds the flags of command metadata, which every command on an order takes. */
export const withMetadata = (command: Command): Command =>
  command
    .option('--lat <degrees>', 'where it happened', degrees)
    .option('--lng <degrees>', 'where it happened', degrees)
    .option('--at <time>', 'when it happened, such as 2026-01-15T09:30:00Z; default: now', instant)
    .option(
      '--payload <json>',
      "members for the custody entry's payload, at most 16 KiB",
      jsonObject,
    )
    .addOption(commandIdOption());

/**
 * Returns the command metadata for the RPC, with a new command id unless one is given.
 * @throws WrongUsage for a latitude without a longitude, or the reverse
 */
export const commandMetadata = (
  orderId: string,
  { lat, lng, at, payload, commandId = randomUUID() }: Flags,
) => {
  if ((lat === undefined) !== (lng === undefined))
    throw new WrongUsage('give both --lat and --lng, or neither');
  return {
    orderId,
    at: at ?? '',
    payloadJson: payload ?? '',
    commandId,
    ...(lat !== undefined && lng !== undefined && { position: { lat, lng } }),
  };
};

/** A mandatory flag that names a side or stop of an order, such as `--side <side>`. */
export const sideOption = (flag: string, says?: string): Option =>
  new Option(flag, says).choices(['pickup', 'dropoff']).makeOptionMandatory();

/** The flag with the id of a command that got no response. */
export const commandIdOption = (): Option =>
  new Option('--command-id <uuid>', 'of a command that got no response: it is done once').argParser(
    uuid,
  );

const uuid = (text: string): string => {
  if (!isUuid(text)) throw new InvalidArgumentError('expected a UUID');
  return text.toLowerCase();
};

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * Verifies that a text is a JSON object and returns it unchanged, so that numbers retain their
 * digits.
 */
const jsonObject = (text: string): string => {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {}
  throw new InvalidArgumentError('expected a JSON object');
};
