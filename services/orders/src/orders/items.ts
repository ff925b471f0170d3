/** An order's items as they are stored: a JSON array in the form that partners see (contract 2.1). */

interface Item {
  readonly goods_type: string;
  readonly seal_id: string | null;
}

/** The items of a new order: none is sealed. */
export const itemsText = (goodsTypes: readonly string[]): string =>
  JSON.stringify(goodsTypes.map((goods_type): Item => ({ goods_type, seal_id: null })));

/** The same items, each with the seal in its place. */
export const sealedText = (itemsJson: string, sealIds: readonly string[]): string =>
  JSON.stringify(
    readItems(itemsJson).map((item, n): Item => ({ ...item, seal_id: sealIds[n] ?? item.seal_id })),
  );

export const readItems = (itemsJson: string): readonly Item[] => JSON.parse(itemsJson);
