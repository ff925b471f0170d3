import { createHash } from 'node:crypto';
import { type Message, toBinary } from '@bufbuild/protobuf';
import { parseInstantMs } from '@pto/config';
import { Rejection, readJson } from '@pto/custody-verifier';
import { printable } from '@pto/custody-verifier/printable';
import { isUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import { type Circumstances, OrderCommandService } from '@pto/proto/orders/v1/commands';
import type { CallContext } from '@pto/rpc';
import type { CommandId } from '../changes/command-log.ts';
import type { CommandMetadata, JsonObject, Position } from '../domain/order.ts';
import { readDevice } from './device-source.ts';

/** Returns the id if it is a UUID. @throws Failure VALIDATION */
export const requireUuid = (id: string, field: string): string => {
  if (!isUuid(id)) throw invalid([field], 'expected a UUID', id);
  return id;
};

/** Returns the text if it has `min` to `max` code points and no NUL. @throws Failure VALIDATION */
export const requireText = (text: string, field: string, max: number, min = 1): string => {
  const length = [...text].length;
  if (length < min || length > max)
    throw invalid([field], `expected ${min} to ${max} characters`, text);
  if (text.includes('\0')) throw invalid([field], 'must not contain a NUL character');
  return text;
};

/**
 * Returns the text if it has 1 to `max` code points, all of them printable and not all of them
 * spaces: names and seals are shown on one line. @throws Failure VALIDATION
 */
export const requireName = (text: string, field: string, max: number): string => {
  if (printable(text) !== text)
    throw invalid([field], 'must not contain control characters or line breaks', text);
  if (text.trim() === '' && text !== '') throw invalid([field], 'must not be blank', text);
  return requireText(text, field, max);
};

/** A request for a command on an order. */
export type CommandRequest = Message & { readonly circumstances?: Circumstances | undefined };

/**
 * Reads the order id, the metadata and the id of an operator's command; a null id: none.
 * @throws Failure VALIDATION
 */
export const readCommandMetadata = (
  request: CommandRequest,
  { caller }: Pick<CallContext, 'caller'>,
): { orderId: string; metadata: CommandMetadata; id: CommandId | null } => {
  const { at, position, commandId = '', device } = request.circumstances ?? {};
  const { orderId = '', payloadJson = '' } = request.circumstances ?? {};
  if (device && at) throw invalid(['at'], 'the record of a device has its own time', at);
  return {
    orderId: requireUuid(orderId, 'order_id'),
    metadata: {
      at: at ? readTime(at) : null,
      position: position ? readPosition(position) : null,
      payload: readPayload(payloadJson),
      operator: caller.operator ?? null,
      carrierId: caller.carrier?.carrierId ?? null,
      device: readDevice(device, commandId, caller),
    },
    id: commandId
      ? { id: requireUuid(commandId, 'command_id'), requestSha256: hashOf(request) }
      : null,
  };
};

const inputs = new Map(OrderCommandService.methods.map(({ input }) => [input.typeName, input]));

/** Returns the SHA-256 of a request: its type, and its fields in the order of their numbers. */
const hashOf = (request: Message): Buffer => {
  const { $typeName: name } = request;
  return createHash('sha256')
    .update(name)
    .update(toBinary(inputs.get(name)!, request))
    .digest();
};

/** Parses a time; without an offset it is UTC (decision 6). @throws Failure VALIDATION */
export const readTime = (text: string, field = 'at'): string => {
  try {
    return new Date(parseInstantMs(text)).toISOString();
  } catch (error) {
    throw invalid([field], (error as Error).message, text);
  }
};

const [pastMs, aheadMs] = [5 * 60_000, 7 * 86_400_000];

/** Reads a stop and the time at which a driver expects to be there. @throws Failure VALIDATION */
export const readExpected = (stop: string, text: string) => {
  if (stop !== 'pickup' && stop !== 'dropoff')
    throw invalid(['stop'], 'expected pickup or dropoff', stop);
  const at = readTime(text);
  const ahead = Date.parse(at) - Date.now();
  if (ahead < -pastMs || ahead > aheadMs)
    throw invalid(['at'], 'expected a time from 5 minutes ago to 7 days ahead', at);
  return { stop, at } as const;
};

/**
 * Returns the position with 6 decimals (about 11 cm) and without negative zeros.
 * @throws Failure VALIDATION if degrees are out of range
 */
export const readPosition = ({ lat, lng }: Position): Position => {
  if (!(Math.abs(lat) <= 90)) throw invalid(['lat'], 'latitude lies between -90 and 90', lat);
  if (!(Math.abs(lng) <= 180)) throw invalid(['lng'], 'longitude lies between -180 and 180', lng);
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0;
  return { lat: round(lat), lng: round(lng) };
};

const bytesMax = 16_384;
const depthMax = 16;

/**
 * Reads the operator's `--payload`: a JSON object that the ledger can store without a change. It is
 * parsed by the parser of the proof verifier.
 * @param text JSON; empty: null is returned.
 * @throws Failure VALIDATION for a text that is not a JSON object, a name twice in one object, a
 *   number that loses digits, -0, a lone surrogate, NUL, more than 16 levels or 16 KiB
 */
export const readPayload = (text: string): JsonObject | null => {
  if (text === '') return null;
  const rejection = (reason: string) => invalid(['payload'], reason);
  if (Buffer.byteLength(text) > bytesMax) throw rejection('at most 16 KiB');
  const value = parse(text, rejection);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rejection('expected a JSON object');
  if (depth(value) > depthMax) throw rejection(`at most ${depthMax} levels deep`);
  // PostgreSQL cannot store NUL in text
  if (JSON.stringify(value).includes('\\u0000'))
    throw rejection('must not contain a NUL character');
  return value as JsonObject;
};

const parse = (text: string, rejection: (reason: string) => Error): unknown => {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof Rejection) throw rejection(error.message);
    throw error;
  }
};

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depth))
    : 0;
