import type { SiteFile } from '../assets.ts';
import { plainFences } from '../markdown.ts';

/** A page as Markdown. */
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
export const textFiles = (
  guides: readonly TextPage[],
  references: readonly TextPage[],
): SiteFile[] => {
  const pages = [...guides, ...references];
  return [
    file('/llms.txt', list(guides, references)),
    file('/llms-full.txt', pages.map(textOf).join('\n\n')),
    ...pages.map((page) => file(`${page.path}.md`, textOf(page))),
  ];
};

const file = (path: string, text: string): SiteFile => ({
  path,
  bytes: Buffer.from(`${text.trimEnd()}\n`),
});

const textOf = ({ title, markdown }: TextPage): string =>
  `# ${title}\n\n${plainFences(markdown).trim()}`;

const list = (
  guides: readonly TextPage[],
  references: readonly TextPage[],
): string => `# Partner Transport Orders

> An HTTP API for medical transport orders: create and track orders, verify their chain of custody, receive signed webhooks.

Links are relative to the address of this file.

## Guides

${links(guides)}

## Reference

- [OpenAPI document](openapi.json): every operation, schema, example and code sample
- [All pages in one file](llms-full.txt)
- [Postman collection](downloads/partner-api.postman_collection.json), [.http file](downloads/partner-api.http)
${links(references)}
`;

const links = (pages: readonly TextPage[]): string =>
  pages
    .map(({ path, title, description }) => `- [${title}](${path.slice(1)}.md): ${description}`)
    .join('\n');
