/** The states of a page, made by answers that a browser gets in place of those of the services. */
import { until } from '@pto/testing';
import type { Page, Route } from 'playwright-core';

/** Calls and requests of a page; not those of the frame, which would hide the page. */
const ofPage = /\/(rpc|api|o)\/(?!.*(?:WhoAmI|GetSession))/;

const answered = async (page: Page): Promise<void> => {
  await page.locator('#content, main').first().waitFor();
  await until(async () => (await page.locator('.skeleton, .waiting').count()) === 0, {
    what: `the answers of ${page.url()}`,
  });
};

const rejected = (route: Route): Promise<void> =>
  route.request().url().includes('/rpc/')
    ? route.fulfill({ status: 500, json: { code: 'internal', message: 'Something failed.' } })
    : route.fulfill({
        status: 500,
        headers: { 'x-request-id': crypto.randomUUID() },
        json: { error: { code: 'INTERNAL', message: 'Something went wrong on our side.' } },
      });

/** Lists without a row; other answers stay as they are. */
const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  const lists = Object.entries(value).filter(([, one]) => Array.isArray(one));
  const next = ['nextAfterId', 'nextId', 'next_cursor', 'nextPageToken'];
  return {
    ...value,
    ...Object.fromEntries(lists.map(([name]) => [name, []])),
    ...Object.fromEntries(next.filter((name) => name in value).map((name) => [name, ''])),
  };
};

/** Shows a page in each state; resolves when it can be looked at. */
export const states = {
  loaded: async (page, url) => {
    await page.goto(url);
    await answered(page);
    await page.waitForLoadState('networkidle').catch(() => {});
  },
  empty: async (page, url) => {
    await page.route(ofPage, async (route) => {
      const response = await route.fetch();
      const type = response.headers()['content-type'] ?? '';
      if (!response.ok() || !type.includes('json')) return route.fulfill({ response });
      return route.fulfill({ response, json: emptied(await response.json()) });
    });
    await page.goto(url);
    await answered(page);
  },
  loading: async (page, url) => {
    await page.route(ofPage, () => {}); // no answer comes
    await page.goto(url);
    await page.locator('#content, .linked').first().waitFor();
  },
  error: async (page, url) => {
    await page.route(ofPage, rejected);
    await page.goto(url);
    await answered(page);
  },
  /** The answers end after the page has shown some. */
  offline: async (page, url) => {
    await page.goto(url);
    await answered(page);
    await page.route(/\/(rpc|api|session|o\/)/, (route) => route.abort());
    await page.locator('.unanswered, .linked .error').waitFor();
  },
} as const satisfies Record<string, (page: Page, url: string) => Promise<void>>;
