import type { RenderedPage } from '@11ty/eleventy';
import MiniSearch from 'minisearch';
import { searchOptions } from '../../assets/search-options.ts';

/** Returns the search index of all pages as JSON: one entry for each section of a page. */
export const searchIndex = (pages: readonly RenderedPage[]): string => {
  const index = new MiniSearch(searchOptions);
  const entries = pages.flatMap(sectionsOf);
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
};

const sectionsOf = ({ url, content }: RenderedPage) => {
  const main = /<article[^>]*>([\s\S]*)<\/article>/.exec(content)?.[1] ?? '';
  const page = plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main)?.[1] ?? '');
  const parts = main.split(/(?=<h[23] [^>]*id=)/);
  return parts.map((part) => {
    const [, id, heading] = /^<h[23] [^>]*id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
    const words = part.replace(/<h[123][\s\S]*?<\/h[123]>/, '');
    return {
      page,
      heading: heading === undefined ? '' : plain(heading),
      url: id === undefined ? url : `${url}#${id}`,
      text: plain(words),
      excerpt: plain(words.replace(codeBlocks, '')).slice(0, excerptCharacters),
    };
  });
};

const excerptCharacters = 160;
const codeBlocks = /<p class="tab-name">[^<]*<\/p>|<figure[\s\S]*?<\/figure>/g;

const plain = (html: string): string =>
  html
    .replace(/<a class="anchor"[\s\S]*?<\/a>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&#x27;|&#39;/g, "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
