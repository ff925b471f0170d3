import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Eleventy, { type RenderedPage } from '@11ty/eleventy';
import { kinds } from '@pto/errors';
import type MarkdownIt from 'markdown-it';
import { errorCatalogue, publicKinds } from '../../services/gateway/src/errors/catalogue.ts';
import type { AssetNames } from './assets.ts';
import { changelogText } from './changelog.ts';
import { exampleChain } from './example-chain.ts';
import { includedDocuments } from './included-documents.ts';
import { codeBlock } from './markdown/highlight.ts';
import { includeFiles } from './markdown/include-files.ts';
import { createMarkdown } from './markdown/markdown.ts';
import { filters, pathOf, sections } from './navigation.ts';
import { reference } from './reference/document.ts';
import { operationPages, schemaTable } from './reference/operation-pages.ts';
import { root, siteRoot } from './root.ts';

/** All pages, with the Markdown of those that are written in it. */
export interface RenderedSite {
  readonly pages: readonly RenderedPage[];
  /** By the page's path: its Markdown with all files included. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Renders every page by Eleventy; nothing is written. */
export const renderPages = async (assets: AssetNames): Promise<RenderedSite> => {
  const md = createMarkdown();
  const expanded = new Map<string, string>();
  const eleventy = new Eleventy(folder('pages'), folder('.none'), {
    quietMode: true,
    configPath: false,
    config: (configuration) => {
      configuration.setLibrary('md', md);
      configuration.setLayoutsDirectory('../layouts');
      configuration.setIncludesDirectory('../layouts');
      configuration.setNunjucksEnvironmentOptions({ throwOnUndefined: false });
      configuration.addPreprocessor('include-files', 'md', ({ page }, content) => {
        const text = includeFiles(content, root);
        expanded.set(page.inputPath, text);
        return text;
      });
      for (const [name, filter] of Object.entries(filters)) configuration.addFilter(name, filter);
      for (const [name, value] of Object.entries(globalData(md, assets)))
        configuration.addGlobalData(name, () => value);
      for (const operation of operationPages(md)) {
        const { id, summary } = operation;
        configuration.addTemplate(`docs-${id}.njk`, '', {
          layout: 'operation.njk',
          title: summary,
          description: `${operation.method} ${operation.path}: ${summary}.`,
          permalink: `/docs/${id}.html`,
          operation,
        });
      }
      for (const { path, front, markdown } of includedDocuments())
        configuration.addTemplate(`.${path}.md`, markdown, { layout: 'page.njk', ...front });
      return { markdownTemplateEngine: false, htmlTemplateEngine: 'njk' };
    },
  });
  const pages = await eleventy.toJSON();
  return {
    pages: pages.map((page) => ({ ...page, url: pathOf(page.url) })),
    sources: new Map(
      pages.flatMap(({ url, inputPath }) => {
        const text = expanded.get(inputPath);
        return text === undefined ? [] : [[pathOf(url), text] as const];
      }),
    ),
  };
};

/** Relative to the working folder, as Eleventy takes it. */
const folder = (name: string): string => `./${relative(process.cwd(), `${siteRoot}${name}`)}`;

const globalData = (md: MarkdownIt, assets: AssetNames) => ({
  permalink: ({ page }: { page: { filePathStem: string } }) => `${page.filePathStem}.html`,
  assets,
  sections,
  chain: exampleChain(),
  samples: landingSamples(),
  tags: reference.tags,
  allOperations: operationPages(md).map(({ id, method, path, tag, summary }) => ({
    id,
    method,
    path,
    tag,
    summary,
  })),
  allSchemas: Object.keys(reference.components.schemas).map((name) => schemaTable(md, name)),
  about: md.render(reference.info.description),
  errorCodes: publicKinds.map((code) => ({
    code,
    ...errorCatalogue[code],
    status: kinds[code].http,
    isRetryable: kinds[code].retryable,
    example: errorCatalogue[code].details && JSON.stringify(errorCatalogue[code].details, null, 2),
  })),
  changelog: md.render(changelogText()),
});

/** The request and the response of the first page. */
const landingSamples = () => {
  const request = readFileSync(`${siteRoot}snippets/quickstart/create.sh`, 'utf8');
  const response = {
    id: '018f4e9c-2b7a-7c31-9d55-4a1e0f6b8c22',
    external_id: 'LAB-2026-000101',
    status: 'SUBMITTED',
    sla: 'EXPRESS',
    items: [{ goods_type: 'blood', seal_id: null }],
    created_at: '2026-03-01T16:20:45.103Z',
  };
  return {
    request: codeBlock(request, 'sh'),
    response: codeBlock(
      JSON.stringify(response, null, 2).replace(
        /\[\s*(\{[^}]*\})\s*\]/,
        (_, item: string) => `[${item.replace(/\s+/g, ' ')}]`,
      ),
      'json',
    ),
  };
};
