/** Pages that are read at most: lists of a few thousand rows are shown whole. */
const pagesMax = 20;

/** Returns the rows of all pages of a list. @param read returns the page after an id. */
export const everyPage = async <Row>(
  read: (afterId: string) => Promise<{ rows: readonly Row[]; nextId: string }>,
): Promise<Row[]> => {
  const all: Row[] = [];
  let afterId = '';
  for (let n = 0; n < pagesMax; n++) {
    const { rows, nextId } = await read(afterId);
    all.push(...rows);
    afterId = nextId;
    if (afterId === '') break;
  }
  return all;
};
