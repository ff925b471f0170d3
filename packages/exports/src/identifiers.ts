/** The identifiers that both exports use for the same things. */
import { createHash } from 'node:crypto';
import type { RecordedItem, RecordedLocation, RecordedOrder } from './order-record.ts';

/** Namespace of the names that are not UUIDs, and of the members that EPCIS has no name for. */
export const namespace = 'urn:pto:';

const named =
  (kind: string) =>
  (name: string): string =>
    `${namespace}${kind}:${encodeURIComponent(name.toWellFormed())}`;

export const sealUri = named('seal');
export const partyUri = named('party');
export const deviceUri = named('device');
export const calibrationUri = named('calibration');
export const externalIdUri = named('external-id');

export const uuidUri = (id: string): string => `urn:uuid:${id}`;
export const orderUri = ({ id }: RecordedOrder): string => uuidUri(id);
export const locationUri = ({ id }: RecordedLocation): string => uuidUri(id);

/** Returns the URI of a digest (RFC 6920). @param sha256 hexadecimal digits. */
export const digestUri = (sha256: string): string =>
  `ni:///sha-256;${Buffer.from(sha256, 'hex').toString('base64url')}`;

/** An item with its URI. Items have no id: the URI is the order's with the position, from 1. */
export interface IdentifiedItem extends RecordedItem {
  readonly uri: string;
}

/** Returns the order's items; an order without items stands for one item of its own. */
export const itemsOf = (order: RecordedOrder): readonly IdentifiedItem[] =>
  order.items.length === 0
    ? [{ goods_type: 'unspecified', seal_id: null, uri: `${namespace}item:${order.id}:1` }]
    : order.items.map((item, at) => ({ ...item, uri: `${namespace}item:${order.id}:${at + 1}` }));

/** Returns the UUID of a name within another UUID as namespace (version 5, RFC 9562). */
export const uuid5 = (within: string, name: string): string => {
  const bytes = createHash('sha1')
    .update(Buffer.from(within.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
