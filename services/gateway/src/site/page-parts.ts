import type { PublicResource } from './representation.ts';

/** The parts of the site's pages that belong to an environment: HTML by the name of the part. */
export type PageParts = Readonly<Record<string, () => Promise<string>>>;

/**
 * Returns a function that reads a page of the site, with each `<div data-fill="NAME"></div>`
 * replaced by its part. Equal parts give the same object, so that a page is compressed and hashed
 * once.
 * @throws Error if the page has a name without a part.
 */
export const pageWithParts = (
  shown: PublicResource,
  parts: PageParts,
): (() => PublicResource | Promise<PublicResource>) => {
  if (!shown.contentType.startsWith('text/html')) return () => shown;
  const pieces = Buffer.from(shown.bytes)
    .toString()
    .split(/<div data-fill="([\w-]+)"><\/div>/);
  if (pieces.length === 1) return () => shown;
  const contents = pieces.map((piece, n) => {
    if (n % 2 === 0) return async () => piece;
    const part = Object.hasOwn(parts, piece) ? parts[piece] : undefined;
    if (!part) throw new Error(`the site has a part without content: ${piece}`);
    return part;
  });
  let last: { readonly text: string; readonly shown: PublicResource } | undefined;
  return async () => {
    const text = (await Promise.all(contents.map((content) => content()))).join('');
    if (last?.text !== text) last = { text, shown: { ...shown, bytes: Buffer.from(text) } };
    return last.shown;
  };
};
