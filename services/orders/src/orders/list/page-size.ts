/** Maximum bytes of a list's JSON body; only a single order may be larger (decision 56). */
export const pageMaxBytes = 1024 * 1024;

/** Bytes reserved for the JSON around the orders: `data`, `next_cursor` and `as_of`. */
export const envelopeBytes = 1024;

/**
 * Maximum items that one statement reads, unless its first order has more. Such items come from few
 * bodies of 256 KiB, so a statement returns about 2 MiB however large the orders are.
 */
export const batchItemsMax = 4000;

const itemBytesMin = '{"goods_type":"x","seal_id":null},'.length;

/** No limit of items: PostgreSQL's largest int. */
export const anyItems = 2 ** 31 - 1;

/** Returns the maximum number of items that fit into `bytes` of a list's body. */
export const itemsWithin = (bytes: number): number => Math.max(0, Math.floor(bytes / itemBytesMin));
