import { type KnownEvent, knownEventNames, type UnknownEvent } from './event.ts';

export type ReadEvent =
  | { readonly known: true; readonly event: KnownEvent }
  | { readonly known: false; readonly event: UnknownEvent };

/** Parses the event of a body with a valid signature. Returns null if the body is no event. */
export const readEvent = (body: Uint8Array): ReadEvent | null => {
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
