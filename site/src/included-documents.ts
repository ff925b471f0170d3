import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, siteRoot } from './root.ts';

/** The path of each page that shows a document of this repository (`source` in its front matter). */
const pagesBySource: ReadonlyMap<string, string> = new Map(
  globSync('**/*.md', { cwd: `${siteRoot}pages` }).flatMap((page) => {
    const text = readFileSync(join(siteRoot, 'pages', page), 'utf8');
    const [, source] = /^source: (.*)$/m.exec(text.split('\n---\n')[0]!) ?? [];
    return source === undefined ? [] : [[source, `/${page.replace(/\.md$/, '')}`] as const];
  }),
);

/**
 * Returns a document without its first heading, which the layout shows, and with links to other
 * documents turned into links of the site. Links to other files become text.
 */
export const includedDocument = (source: string): string =>
  readFileSync(join(root, source), 'utf8')
    .replace(/^# .*\n/, '')
    .replace(
      /\[([^\]]+)\]\(([^)#:/][^)#:]*)(#[^)]*)?\)/g,
      (_, text: string, target: string, anchor = '') => {
        const own = /site\/pages(\/.*)\.md$/.exec(target)?.[1] ?? pageOf(target);
        return own === undefined ? text : `[${text}](${own}${anchor})`;
      },
    );

/** `partners/custody.md` is also linked as `custody.md`, so the name of a README needs its folder. */
const pageOf = (target: string): string | undefined =>
  [...pagesBySource].find(([source]) =>
    target.endsWith(
      source
        .split('/')
        .slice(source.endsWith('README.md') ? -2 : -1)
        .join('/'),
    ),
  )?.[1];
