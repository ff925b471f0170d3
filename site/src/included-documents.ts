import { existsSync, readFileSync } from 'node:fs';
import { root } from './root.ts';

/** A document of this repository that is also a page of the site. */
interface IncludedDocument {
  readonly source: string;
  readonly path: string;
  readonly front: Readonly<Record<string, string | number>>;
}

const documents: readonly IncludedDocument[] = [
  {
    source: 'docs/partners/webhooks.md',
    path: '/guides/webhook-reference',
    front: {
      title: 'Webhook reference',
      section: 'Guides',
      order: 5.5,
      description: 'Every header, member, reason and interval of a delivery.',
    },
  },
  {
    source: 'docs/partners/custody.md',
    path: '/guides/custody-reference',
    front: {
      title: 'Custody reference',
      section: 'Guides',
      order: 6.3,
      description:
        'Verdicts, witnesses, payloads of entries, and which rewriting is found by whom.',
    },
  },
  {
    source: 'verifiers/custody-verifier/README.md',
    path: '/guides/proof-format',
    front: {
      title: 'The proof format',
      section: 'Guides',
      order: 6.6,
      description:
        'The rule of each hash, the members of a proof file, and the limits of each verdict.',
    },
  },
  {
    source: 'clients/typescript/README.md',
    path: '/guides/client-typescript',
    front: {
      title: 'TypeScript client',
      section: 'Guides',
      order: 11.3,
      description: 'A typed client with retries, iterators, and verifiers of webhooks and proofs.',
    },
  },
  {
    source: 'clients/python/README.md',
    path: '/guides/client-python',
    front: {
      title: 'Python client',
      section: 'Guides',
      order: 11.6,
      description:
        'A typed client, synchronous and asynchronous, with retries, iterators and verifiers.',
    },
  },
];

/**
 * Returns each document that exists as a page: without its first heading, which the layout shows, and
 * with links to other documents turned into links of the site. Links to other files become text.
 */
export const includedDocuments = () =>
  documents
    .filter(({ source }) => existsSync(`${root}${source}`))
    .map(({ source, path, front }) => {
      const text = readFileSync(`${root}${source}`, 'utf8').replace(/^# .*\n/, '');
      return { path, front, markdown: withSiteLinks(text) };
    });

const withSiteLinks = (markdown: string): string =>
  markdown.replace(
    /\[([^\]]+)\]\(([^)#:/][^)#:]*)(#[^)]*)?\)/g,
    (_, text: string, target: string, anchor = '') => {
      const own = /site\/pages(\/.*)\.md$/.exec(target)?.[1];
      if (own !== undefined) return `[${text}](${own}${anchor})`;
      const page = documents.find(({ source }) => target.endsWith(lastTwo(source)));
      return page ? `[${text}](${page.path}${anchor})` : text;
    },
  );

/** `partners/custody.md` is also linked as `custody.md`, so the name of a README needs its folder. */
const lastTwo = (source: string): string => {
  const parts = source.split('/');
  return source.endsWith('README.md') ? parts.slice(-2).join('/') : parts.at(-1)!;
};
