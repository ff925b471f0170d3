import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Eleventy, { type RenderedPage } from '@11ty/eleventy';
import { kinds } from '@pto/errors';
import { errorCatalogue, publicKinds } from '../../services/gateway/src/errors/catalogue.ts';
import type { AssetNames } from './assets.ts';
import { exampleChain } from './example-chain.ts';
import { includedDocument } from './included-documents.ts';
import { createMarkdown, includeFiles } from './markdown.ts';
import { filters, pathOf, sections } from './navigation.ts';
import { changelogText, reference } from './reference/document.ts';
import { shownOperations } from './reference/operations.ts';
import { schemaTable } from './reference/schema-rows.ts';
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
      configuration.addPreprocessor('include-files', 'md', ({ page, source }, content) => {
        const text = includeFiles(source ? includedDocument(source) : content, root);
        expanded.set(page.inputPath, text);
        return text;
      });
      for (const [name, filter] of Object.entries(filters)) configuration.addFilter(name, filter);
      configuration.addFilter('markdown', (text: string) => md.render(text));
      configuration.addFilter('inline', (text: string) => md.renderInline(text));
      for (const [name, value] of Object.entries(globalData(assets)))
        configuration.addGlobalData(name, () => value);
      for (const operation of shownOperations()) {
        const { id, summary } = operation;
        configuration.addTemplate(`docs-${id}.njk`, '', {
          layout: 'operation.njk',
          title: summary,
          description: `${operation.method} ${operation.path}: ${summary}.`,
          permalink: `/docs/${id}.html`,
          operation,
        });
      }
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

const globalData = (assets: AssetNames) => ({
  permalink: ({ page }: { page: { filePathStem: string } }) => `${page.filePathStem}.html`,
  assets,
  sections,
  chain: exampleChain(),
  firstRequest: readFileSync(`${siteRoot}snippets/quickstart/create.sh`, 'utf8'),
  tags: reference.tags,
  allOperations: shownOperations(),
  allSchemas: Object.keys(reference.components.schemas).map(schemaTable),
  about: reference.info.description,
  errorCodes: publicKinds.map((code) => ({
    code,
    ...errorCatalogue[code],
    status: kinds[code].http,
    isRetryable: kinds[code].retryable,
    example: errorCatalogue[code].details && JSON.stringify(errorCatalogue[code].details, null, 2),
  })),
  changelog: changelogText(),
});
