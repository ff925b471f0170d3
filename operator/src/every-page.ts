/** Returns all items of a paged list: requests the page after each `next` until there is none. */
export const everyPage = async <Item>(
  page: (after: string) => Promise<{ items: readonly Item[]; next: string | undefined }>,
): Promise<Item[]> => {
  const all: Item[] = [];
  let after: string | undefined = '';
  do {
    const { items, next }: Awaited<ReturnType<typeof page>> = await page(after);
    all.push(...items);
    after = next || undefined;
  } while (after !== undefined);
  return all;
};
