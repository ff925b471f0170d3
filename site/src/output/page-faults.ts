import type { RenderedPage } from '@11ty/eleventy';

/** Served by the gateway beside the site. */
const served = [
  '/openapi.json',
  '/verify',
  '/custody/checkpoint',
  '/custody/keys.json',
  '/connectivity.json',
  '/status.json',
  '/favicon.ico',
];

/**
 * Returns what is wrong with the pages: links that lead nowhere, and what the Content-Security-Policy
 * forbids. Links are absolute here.
 * @param paths of all other files of the site.
 */
export const pageFaults = (pages: readonly RenderedPage[], paths: readonly string[]): string[] => {
  const anchors = new Map(pages.map(({ url, content }) => [url, anchorsOf(content)]));
  const known = new Set([...served, ...paths, ...anchors.keys()]);
  return pages.flatMap(({ url, content }) => [
    ...linksOf(content).flatMap((link) => {
      const [path = '', anchor] = link.startsWith('#') ? [url, link.slice(1)] : link.split('#');
      if (/^\w+:/.test(link)) return [];
      if (!known.has(path)) return [`${url}: the link ${link} leads to no page`];
      const isFound = anchor === undefined || anchors.get(path)?.has(anchor);
      return isFound ? [] : [`${url}: the link ${link} names no section`];
    }),
    ...[...content.matchAll(/<script(?![^>]* src=)[^>]*>|<style|\sstyle="|\son\w+="/g)].map(
      ([found]) => `${url}: ${found.trim()} is forbidden by the policy`,
    ),
  ]);
};

const anchorsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));

const linksOf = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link!);
