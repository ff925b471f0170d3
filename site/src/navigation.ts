import { codeBlock } from './markdown.ts';

/** The sections of the side list, in their order. Each page names its own in its front matter. */
export const sections = ['Start', 'Guides', 'Reference'] as const;

/** A page, as Eleventy's collections hold it. */
interface Page {
  readonly url: string;
  readonly data: {
    readonly title: string;
    readonly section?: string;
    /** Place within its section. */
    readonly order?: number;
  };
}

/** `/guides/orders` of `/guides/orders.html`. */
export const pathOf = (url: string): string =>
  url === '/' ? url : url.replace(/(?:\/index)?\.html$/, '') || '/';

/** Returns the pages of a section in their order. */
const inSection = (pages: readonly Page[], section: string): Page[] =>
  pages
    .filter(({ data }) => data.section === section)
    .sort((a, b) => (a.data.order ?? 0) - (b.data.order ?? 0));

/** Returns the pages before and after the page at a URL, in the order of the side list. */
const around = (pages: readonly Page[], url: string) => {
  const listed = sections.flatMap((section) => inSection(pages, section));
  const at = listed.findIndex((page) => page.url === url);
  return {
    previous: at < 0 ? undefined : listed[at - 1],
    next: at < 0 ? undefined : listed[at + 1],
  };
};

const ofTag = <T extends { readonly tag: string }>(operations: readonly T[], tag: string): T[] =>
  operations.filter((operation) => operation.tag === tag);

/** The filters of the templates. */
export const filters: Readonly<Record<string, (...values: never[]) => unknown>> = {
  path: pathOf,
  inSection,
  around,
  ofTag,
  truthy: Boolean,
  code: codeBlock,
};
