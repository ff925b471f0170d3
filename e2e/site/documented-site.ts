/** The source of the documentation site, as the tests of its commands read it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = fileURLToPath(new URL('../../site/', import.meta.url));

/** The file of a snippet, absolute. */
export const snippetFile = (name: string): string => join(site, 'snippets', name);

/** All snippets, such as `quickstart/create.sh`. */
export const snippetNames = (): string[] =>
  globSync('**/*.*', { cwd: join(site, 'snippets') }).sort();

/** A code block of a page: its language, what follows it in its first line, and its text. */
export interface CodeBlock {
  readonly page: string;
  readonly language: string;
  readonly info: string;
  readonly text: string;
}

/** All code blocks of the pages that are written in Markdown. */
export const codeBlocks = (): CodeBlock[] =>
  globSync('**/*.md', { cwd: join(site, 'pages') }).flatMap((page) => {
    const markdown = readFileSync(join(site, 'pages', page), 'utf8');
    return [...markdown.matchAll(/^```(\w+)(.*)\n([\s\S]*?)```$/gm)].map(
      ([, language = '', info = '', text = '']) => ({ page, language, info, text: text.trim() }),
    );
  });
