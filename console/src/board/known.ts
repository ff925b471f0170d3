import type { OpenOrder } from '@pto/proto/orders/v1/commands';

const [idBytes, size] = [16, 20];

/** Returns id and version of each order, as `known` of the request has them. */
export const knownBytes = (
  orders: readonly Pick<OpenOrder, 'id' | 'version'>[],
): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(orders.length * size);
  const view = new DataView(bytes.buffer);
  orders.forEach(({ id, version }, n) => {
    const hex = id.replaceAll('-', '');
    for (let at = 0; at < idBytes; at++)
      bytes[n * size + at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
    view.setUint32(n * size + idBytes, version);
  });
  return bytes;
};
