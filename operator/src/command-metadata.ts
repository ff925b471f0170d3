import { type Command, InvalidArgumentError } from 'commander';
import { degrees, instant, WrongUsage } from './arguments.ts';

interface Flags {
  readonly lat?: number;
  readonly lng?: number;
  readonly at?: string;
  readonly payload?: string;
}

/** Adds the flags of command metadata, which every command on an order takes. */
export const withMetadata = (command: Command): Command =>
  command
    .option('--lat <degrees>', 'where it happened', degrees)
    .option('--lng <degrees>', 'where it happened', degrees)
    .option('--at <time>', 'when it happened, such as 2026-01-15T09:30:00Z; default: now', instant)
    .option('--payload <json>', "members for the custody entry's payload", jsonObject);

/**
 * Returns the command metadata for the RPC.
 * @throws WrongUsage for a latitude without a longitude, or the reverse
 */
export const commandMetadata = (orderId: string, { lat, lng, at, payload }: Flags) => {
  if ((lat === undefined) !== (lng === undefined))
    throw new WrongUsage('give both --lat and --lng, or neither');
  return {
    orderId,
    at: at ?? '',
    payloadJson: payload ?? '',
    ...(lat !== undefined && lng !== undefined && { position: { lat, lng } }),
  };
};

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
