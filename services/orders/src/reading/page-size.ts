/** Maximum bytes of a list's JSON body; only a single order may be larger (decision 56). */
export const pageMaxBytes = 1024 * 1024;

/** Maximum bytes and items of a light page, which needs no turn (decision 66). */
export const lightBytes = 128 * 1024;
export const lightItems = 1000;

/** Bytes reserved for the JSON around the orders: `data`, `next_cursor` and `as_of`. */
export const envelopeBytes = 1024;

/**
 * Maximum number of items that one statement reads; an order with more items is read alone. An item
 * has at most 100 characters, so a statement returns at most about 2 MiB of items.
 */
export const batchItemsMax = 4000;

const itemBytesMin = '{"goods_type":"x","seal_id":null},'.length;

/** No limit of items: PostgreSQL's largest int. */
export const anyItems = 2 ** 31 - 1;

/**
 * Returns an upper bound of the number of items that fit into `bytes` of a list's body: `bytes`
 * divided by the smallest size of an item's JSON.
 */
export const itemsWithin = (bytes: number): number => Math.max(0, Math.floor(bytes / itemBytesMin));
