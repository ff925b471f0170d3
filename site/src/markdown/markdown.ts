import MarkdownIt from 'markdown-it';
import { codeBlock } from './highlight.ts';
import { sampleTabs } from './sample-tabs.ts';

/** Returns the anchor of a heading: its letters and digits, joined by hyphens. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const headingAnchors = (md: MarkdownIt): void => {
  md.renderer.rules.heading_open = (tokens, n, options, _, self) => {
    const text = tokens[n + 1]?.content ?? '';
    tokens[n]!.attrSet('id', anchorOf(text));
    return self.renderToken(tokens, n, options);
  };
  md.renderer.rules.heading_close = (tokens, n, options, _, self) => {
    const text = tokens[n - 1]?.content ?? '';
    const link = `<a class="anchor" href="#${anchorOf(text)}" aria-label="Link to this section">#</a>`;
    const close = self.renderToken(tokens, n, options);
    return tokens[n]?.tag === 'h1' ? close : link + close;
  };
};

/** Wide tables scroll within themselves, by keyboard too. */
const scrollingTables = (md: MarkdownIt): void => {
  md.renderer.rules.table_open = () =>
    '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
};

/** The renderer of all pages. Markdown may contain HTML: all of it is ours. */
export const createMarkdown = (): MarkdownIt => {
  const md = new MarkdownIt({ html: true })
    .use(headingAnchors)
    .use(scrollingTables)
    .use(sampleTabs);
  md.renderer.rules.fence = (tokens, n) => {
    const { content, info } = tokens[n]!;
    return codeBlock(content, info.split(' ')[0] ?? '');
  };
  return md;
};
