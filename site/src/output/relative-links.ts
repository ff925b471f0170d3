/**
 * Returns the page with relative links, so that it can stand behind a proxy's own prefix.
 * @param path of the page, such as `/guides/orders`: one `../` for each `/` after the first.
 */
export const relativeLinks = (html: string, path: string): string => {
  const up = '../'.repeat(path.split('/').length - 2) || './';
  return html.replace(/ (href|src|data-search)="\/(?!\/)([^"]*)"/g, ` $1="${up}$2"`);
};
