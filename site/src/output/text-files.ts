import type { SiteFile } from '../assets.ts';
import { plainFences } from '../markdown/include-files.ts';
import { operationTexts } from '../reference/operation-texts.ts';

/** A page written in Markdown. */
export interface TextPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

/**
 * Returns `/llms.txt` (https://llmstxt.org), `/llms-full.txt`, and each page as Markdown under its
 * path with `.md`.
 */
export const textFiles = (pages: readonly TextPage[]): SiteFile[] => [
  file('/llms.txt', list(pages)),
  file('/llms-full.txt', [...pages.map(textOf), operationTexts()].join('\n\n')),
  ...pages.map((page) => file(`${page.path}.md`, textOf(page))),
];

const file = (path: string, text: string): SiteFile => ({
  path,
  bytes: Buffer.from(`${text.trimEnd()}\n`),
  isImmutable: false,
});

const textOf = ({ title, markdown }: TextPage): string =>
  `# ${title}\n\n${plainFences(markdown).trim()}`;

const list = (pages: readonly TextPage[]): string => `# Partner Transport Orders

> An HTTP API for medical transport orders: create and track orders, verify their chain of custody, receive signed webhooks.

Links are relative to the address of this file.

## Guides

${pages.map(({ path, title, description }) => `- [${title}](${path.slice(1)}.md): ${description}`).join('\n')}

## Reference

- [OpenAPI document](openapi.json): every operation, schema, example and code sample
- [All guides and operations in one file](llms-full.txt)
`;
