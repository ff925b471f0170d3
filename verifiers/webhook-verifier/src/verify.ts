import { type KnownEvent, knownEventNames, type UnknownEvent } from './event.ts';
import {
  bytesOf,
  type Refusal,
  refusal,
  type Signed,
  verifySignature,
} from './verify-signature.ts';

/**
 * The result of `verify`. If `valid` is true, test `known`, then `event.event`, to narrow the
 * event.
 */
export type Verdict = ({ readonly valid: true; readonly signedAt: number } & ReadEvent) | Refusal;

/**
 * Verifies the signature and the time of a delivery, and parses its event (contract 6.4). A
 * delivery can arrive more than once: deduplicate on `X-Service-Delivery`.
 * @returns the event, or a refusal. No request that a sender can make causes an error.
 * @throws TypeError if the arguments are wrong: a parsed body, no secret, a time that is no number.
 */
export const verify = async (signed: Signed): Promise<Verdict> => {
  const verdict = await verifySignature(signed);
  if (!verdict.valid) return verdict;
  const read = readEvent(bytesOf(signed.rawBody));
  return read ? { ...verdict, ...read } : refusal('not_an_event');
};

type ReadEvent =
  | { readonly known: true; readonly event: KnownEvent }
  | { readonly known: false; readonly event: UnknownEvent };

/** Parses the event of a body with a valid signature. Returns null if the body is no event. */
const readEvent = (body: Uint8Array): ReadEvent | null => {
  const value = parsed(body);
  if (!isObject(value) || !isText(value.event) || !isText(value.occurred_at)) return null;
  if (!(knownEventNames as readonly string[]).includes(value.event))
    return { known: false, event: value as unknown as UnknownEvent };
  return hasOrder(value) ? { known: true, event: value as unknown as KnownEvent } : null;
};

/**
 * Whether `data.order` has `id`, `external_id` and `status`, and the event's `links` has `order`,
 * with the types of contract 6.1. Other members are not checked.
 */
const hasOrder = ({ data, links }: Members): boolean =>
  isObject(data) &&
  isObject(data.order) &&
  isText(data.order.id) &&
  (isText(data.order.external_id) || data.order.external_id === null) &&
  isText(data.order.status) &&
  isObject(links) &&
  isText(links.order);

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return null;
  }
};
