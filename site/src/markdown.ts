import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import MarkdownIt from 'markdown-it';

/** Returns the anchor of a heading: its letters and digits, joined by hyphens. */
const anchorOf = (heading: string): string =>
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

const languages = { sh: bash, http, js: javascript, json, php, python, ts: typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Names that readers see. */
const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  http: 'HTTP',
  text: 'Terminal',
};

/** Returns a code block in HTML: classes and no styles, so that the policy need not allow any. */
export const codeBlock = (code: string, language: string): string => {
  const text = code.trimEnd();
  const html = hljs.getLanguage(language)
    ? hljs.highlight(text, { language }).value
    : escapeHtml(text);
  const label = labels[language] ?? 'Text';
  return `<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>\n`;
};

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** `Node` of a code block that begins with ```` ```js tab="Node" ````. */
const tabOf = (info: string): string | undefined => /\btab="([^"]+)"/.exec(info)?.[1];

/**
 * Puts consecutive code blocks that have a `tab` into one group. Without scripts a reader sees them
 * one after the other, each with its name; `tabs.ts` in `assets` makes tabs of them.
 */
const sampleTabs = (md: MarkdownIt): void => {
  md.core.ruler.push('sample-tabs', ({ tokens, Token }) => {
    const isTab = (n: number) => tokens[n]?.type === 'fence' && tabOf(tokens[n].info) !== undefined;
    for (let n = tokens.length - 1; n >= 0; n--) {
      if (!isTab(n)) continue;
      const html = (content: string) => Object.assign(new Token('html_block', '', 0), { content });
      const close = isTab(n + 1) || tokens[n + 1]?.meta === 'tab' ? '</div>\n' : '</div></div>\n';
      const open = isTab(n - 1) ? '' : '<div class="tabs">\n';
      const name = tabOf(tokens[n]!.info)!;
      tokens.splice(n + 1, 0, html(close));
      const before = html(
        `${open}<div class="tab" data-tab="${name}"><p class="tab-name">${name}</p>\n`,
      );
      tokens.splice(n, 0, Object.assign(before, { meta: 'tab' }));
    }
  });
};

const fence = /^```(\S+) file=(\S+)(.*)\n```$/gm;

/**
 * Returns Markdown in which each empty code block with `file=PATH` holds that file, so that a shown
 * file and an executed file are one. PATH is relative to the checkout.
 */
export const includeFiles = (markdown: string, root: string): string =>
  markdown.replace(fence, (_, language: string, path: string, more: string) => {
    const text = readFileSync(join(root, path), 'utf8').trimEnd();
    return `\`\`\`${language}${more}\n${text}\n\`\`\``;
  });

/** Returns Markdown whose code blocks name their language alone, for readers of plain text. */
export const plainFences = (markdown: string): string =>
  markdown.replace(/^```(\S+) .*$/gm, '```$1');
