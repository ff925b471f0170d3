/** Reads and writes an order's items: a JSON array in the form that partners see (contract 2.1). */

interface Item {
  readonly goods_type: string;
  readonly seal_id: string | null;
}

/** Returns the JSON of a new order's items, none of which has a seal. */
export const itemsText = (goodsTypes: readonly string[]): string =>
  JSON.stringify(goodsTypes.map((goods_type): Item => ({ goods_type, seal_id: null })));

/**
 * Returns the JSON of the items with seals: the item at each position gets the seal at that
 * position.
 */
export const sealedText = (itemsJson: string, sealIds: readonly string[]): string =>
  JSON.stringify(
    readItems(itemsJson).map((item, n): Item => ({ ...item, seal_id: sealIds[n] ?? item.seal_id })),
  );

export const readItems = (itemsJson: string): readonly Item[] => JSON.parse(itemsJson);
