/** Maximum bytes of a list's JSON body; only a single order may be larger (decision 56). */
export const pageMaxBytes = 1024 * 1024;

/** Bytes reserved for the JSON around the orders: `data`, `next_cursor` and `as_of`. */
export const envelopeBytes = 1024;

/**
 * Maximum number of items that one statement reads, unless its first order has more. This many
 * items come from few request bodies of at most 256 KiB, so a statement returns about 2 MiB,
 * however large the orders are.
 */
export const batchItemsMax = 4000;

const itemBytesMin = '{"goods_type":"x","seal_id":null},'.length;

/** No limit of items: PostgreSQL's largest int. */
export const anyItems = 2 ** 31 - 1;

/**
 * Returns an upper bound of the number of items in `bytes` of a list's body: each item counts with
 * the smallest size that an item can have. Larger items fill the bytes earlier.
 */
export const itemsWithin = (bytes: number): number => Math.max(0, Math.floor(bytes / itemBytesMin));
