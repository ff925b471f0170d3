/** Bytes of a list's JSON body; only a single order may be larger (decision 56). */
export const pageMaxBytes = 1024 * 1024;

/** Bytes reserved for `data`, `next_cursor` and `as_of` around the orders. */
export const envelopeBytes = 1024;

/**
 * Items that one statement reads, unless its first order with items has more. Together they come
 * from few bodies of 256 KiB, so a statement's rows stay at about 2 MiB however large the orders are.
 */
export const batchItemsMax = 4000;

const itemBytesMin = '{"goods_type":"x","seal_id":null},'.length;

/** More than any order has: PostgreSQL's largest int. */
export const anyItems = 2 ** 31 - 1;

/** The most items that `bytes` of a list's body can hold. */
export const itemsWithin = (bytes: number): number => Math.max(0, Math.floor(bytes / itemBytesMin));
