import { type KnownEvent, knownEventNames, type UnknownEvent } from './event.ts';

export type ReadEvent =
  | { readonly known: true; readonly event: KnownEvent }
  | { readonly known: false; readonly event: UnknownEvent };

/** The event in a body whose signature holds. @returns null where the bytes are not one. */
export const readEvent = (body: Uint8Array): ReadEvent | null => {
  const value = parsed(body);
  if (!isObject(value) || !isText(value.event) || !isText(value.occurred_at)) return null;
  if (!(knownEventNames as readonly string[]).includes(value.event))
    return { known: false, event: value as unknown as UnknownEvent };
  return hasOrder(value) ? { known: true, event: value as unknown as KnownEvent } : null;
};

/** What every event of contract 6.1 says of its order. */
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
