import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
