import { buildAssets, hashedFile, type SiteFile } from './assets.ts';
import { buildDownloads } from './downloads.ts';
import { pageFaults } from './output/page-faults.ts';
import { searchIndex } from './output/search-index.ts';
import { type TextPage, textFiles } from './output/text-files.ts';
import { writeSite } from './output/write-site.ts';
import { referenceTexts } from './reference/reference-texts.ts';
import { type RenderedSite, renderPages } from './render-pages.ts';
import { root } from './root.ts';

/** In the templates, where the address of the search index will be. */
const searchPlaceholder = '/search-index';

/**
 * Builds the complete site into a folder that exists.
 * @throws Error naming each link that leads nowhere, and each part that the policy forbids.
 */
export const buildSite = async (folder: string): Promise<void> => {
  const [assets, downloads] = await Promise.all([buildAssets(), buildDownloads(root)]);
  const rendered = await renderPages(assets.names);
  const index = hashedFile('search', 'json', Buffer.from(searchIndex(rendered.pages)));
  const others = [
    ...assets.files,
    ...downloads,
    index,
    ...textFiles(textPages(rendered), referenceTexts()),
  ];
  const faults = pageFaults(
    rendered.pages,
    others.map(({ path }) => path),
  );
  if (faults.length > 0) throw new Error(`the site has faults:\n${faults.join('\n')}`);
  const pages = rendered.pages.map(({ url, content }): SiteFile => {
    const html = content.replace(
      `data-search="${searchPlaceholder}"`,
      `data-search="${index.path}"`,
    );
    return { path: url, bytes: Buffer.from(relativeLinks(html, url)) };
  });
  writeSite([...pages, ...others], folder);
};

const textPages = ({ pages, sources }: RenderedSite): TextPage[] =>
  pages.flatMap(({ url, content }) => {
    const markdown = sources.get(url);
    if (markdown === undefined) return [];
    const meta = (pattern: RegExp) => pattern.exec(content)?.[1] ?? '';
    const title = meta(/<h1[^>]*>([^<]*)<\/h1>/);
    const description = meta(/<meta name="description" content="([^"]*)"/);
    return [{ path: url, title, description, markdown }];
  });

/**
 * Returns the page with relative links, so that it can stand behind a proxy's own prefix.
 * @param path of the page, such as `/guides/orders`: one `../` for each `/` after the first.
 */
const relativeLinks = (html: string, path: string): string => {
  const up = '../'.repeat(path.split('/').length - 2) || './';
  return html.replace(/ (href|src|data-search)="\/(?!\/)([^"]*)"/g, ` $1="${up}$2"`);
};
