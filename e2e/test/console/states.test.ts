/** Every page of the console and the portal in the states that other tests do not show. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { orderBody, partner } from '../../partner.ts';
import { type Application, openApplications } from '../../screenshots/applications.ts';
import { states } from '../../screenshots/states.ts';
import { sharedStack } from '../test-stack.ts';
import { longestTexts } from './longest-texts.ts';
import { hostileTexts, openWatched } from './watched-page.ts';

interface SignedIn {
  readonly origin: string;
  readonly storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
}

const stack = sharedStack();
/** A page that is not live says after some seconds that no answer comes. */
const testMaxMs = 200_000;
/** Pages that are judged at the same time. */
const lanes = 4;
/** The widest is the narrowest in which tables have their columns. */
const widths = [390, 820, 1110];
const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

/** Makes orders whose references break pages. @returns the id of one, all texts of which do. */
const hostileOrders = async (): Promise<string> => {
  const items = hostileTexts.map((goods_type) => ({ goods_type: goods_type.slice(0, 100) }));
  const more = { items, notes: hostileTexts.join('\n') };
  const made = await Promise.all(
    hostileTexts.map((text) => {
      const external_id = `${text.slice(0, 88)} ${crypto.randomUUID().slice(0, 8)}`;
      return partner(stack).post('/orders', orderBody({ external_id, ...more }));
    }),
  );
  return made[0]!.body.id;
};

(hasChromium ? describe : describe.skip)('every page', () => {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openApplications>>;
  /** An application's pages, its origin, and a context's state of a person who has signed in. */
  let hostile: string;
  /** Further pages of orders: with hostile texts, and one that does not exist. */
  const more = (application: string): string[] =>
    [hostile, ...(application === 'console' ? [crypto.randomUUID()] : [])].map(
      (id) => `/orders/${id}`,
    );
  const applications = new Map<string, Pick<Application, 'pages'> & SignedIn>();
  beforeAll(async () => {
    browser = await launchChromium();
    opened = await openApplications(stack);
    await longestTexts(stack);
    hostile = await hostileOrders();
    for (const { name, pages, signIn } of opened.applications) {
      const context = await browser.newContext();
      const origin = await signIn(await context.newPage());
      applications.set(name, { pages, origin, storageState: await context.storageState() });
      await context.close();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.stop();
  });

  test.each(
    (['empty', 'loading', 'error', 'offline'] as const).flatMap((state) => [
      { application: 'console', state },
      { application: 'portal', state },
    ]),
  )(
    'of the $application is accessible and fits while it is $state',
    async (one) => {
      const { pages, origin, storageState } = applications.get(one.application)!;
      const left = pages.map(([, address]) => address);
      const lane = async (): Promise<void> => {
        const { page, context, judge } = await openWatched(browser, { ...phone, storageState });
        for (let address = left.shift(); address !== undefined; address = left.shift()) {
          await states[one.state](page, origin + address);
          expect(await page.locator('h1').count()).toBe(1);
          await judge(one.state === 'loading');
          await page.unrouteAll({ behavior: 'ignoreErrors' });
        }
        await context.close();
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    },
    testMaxMs,
  );

  test.each(['console', 'portal'])(
    'of the %s is accessible and fits at each width, breaks no word, and suits a finger on a phone',
    async (application) => {
      const { pages, origin, storageState } = applications.get(application)!;
      const { page, context, judge, fits } = await openWatched(browser, { storageState });
      await states.loaded(page, origin + pages[0]![1]);
      const links = await page.locator('#pages a').all();
      const addresses = pages.map(([, address]) => address.split('?')[0]);
      for (const link of links) expect(addresses).toContain(await link.getAttribute('href'));
      for (const address of [...pages.map(([, one]) => one), ...more(application)]) {
        await states.loaded(page, origin + address);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 1100 });
          await (width === widths[1] ? fits() : judge());
        }
      }
      await context.close();
    },
    testMaxMs,
  );
});
