import type MarkdownIt from 'markdown-it';

/** `Node` of a code block that begins with ```` ```js tab="Node" ````. */
export const tabOf = (info: string): string | undefined => /\btab="([^"]+)"/.exec(info)?.[1];

/**
 * Puts consecutive code blocks that have a `tab` into one group. Without scripts a reader sees them
 * one after the other, each with its name; `tabs.ts` in `assets` makes tabs of them.
 */
export const sampleTabs = (md: MarkdownIt): void => {
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
