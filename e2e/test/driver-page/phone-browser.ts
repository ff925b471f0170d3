/** The driver's page in Chromium with a phone's viewport, and orders of its driver. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { until } from '@pto/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium, openProfile } from '../../chromium.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { openWatched, violationsOn } from '../console/watched-page.ts';

/** Least height of what a gloved finger presses, in px. */
const targetMin = 56;
const smallTargets = `[...document.querySelectorAll(
    'a, button, summary, select, textarea, input:not([type=checkbox], [type=file]), label:has([type=checkbox], [type=file])')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < ${targetMin - 0.5})
  .map((one) => one.outerHTML.slice(0, 200))`;
/** No text has a contrast below 7 to 1 (WCAG, AAA), which is more than the usual rule asks. */
const contrast = {
  'color-contrast': { enabled: false },
  'color-contrast-enhanced': { enabled: true },
};

/** All that the phone has stored as one text: IndexedDB, both storages, and the cached pages. */
const stored = `(async () => {
  const text = (_, value) => value instanceof Uint8Array ? new TextDecoder().decode(value)
    : value instanceof File ? value.name + ' ' + value.size : value;
  const database = await new Promise((done) => {
    indexedDB.open('driver').onsuccess = ({ target }) => done(target.result);
  });
  const found = { localStorage, sessionStorage };
  for (const name of database.objectStoreNames)
    found[name] = await new Promise((done) => {
      const read = database.transaction(name).objectStore(name).getAll();
      read.onsuccess = () => done(read.result);
    });
  database.close();
  for (const name of await caches.keys())
    for (const response of await (await caches.open(name)).matchAll())
      found[response.url] = /html|json/.test(response.headers.get('content-type')) && await response.text();
  return JSON.stringify(found, text);
})()`;

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** Waits for a text of a page. */
export const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** What a driver does on an open page. */
const driven = ({ page, context, judge }: Awaited<ReturnType<typeof openWatched>>) => ({
  ...{ page, context },
  /** Expects of the page what the console's pages are, and what gloves, sun and night need. */
  judge: async (): Promise<void> => {
    const { width, height } = page.viewportSize()!;
    for (const [at, colorScheme] of [
      [320, 'dark'],
      [width, 'light'],
    ] as const) {
      await page.setViewportSize({ width: at, height });
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(smallTargets)).toEqual([]);
      if (at === 320)
        await judge(false, contrast); // what fits here fits everywhere
      else
        expect(
          await violationsOn(page, { runOnly: ['color-contrast-enhanced'], rules: contrast }),
        ).toEqual([]);
    }
  },
  tap: (name: string) => page.getByRole('button', { name, exact: true }).tap(),
  /** Waits until the element with this text has the focus. */
  focusOn: (text: string) =>
    until(
      () =>
        page.evaluate(
          `document.activeElement !== document.body && document.activeElement.innerText === '${text}'`,
        ),
      { what: `the focus on ${text}` },
    ),
  /** All that the phone has stored. */
  stored: () => page.evaluate<string>(stored),
  /** Opens the driver's only order. */
  openOrder: () => page.locator('a[href*="orders/"]').first().tap(),
  /** Draws a signature by a finger. */
  sign: async () => {
    const canvas = page.locator('canvas');
    await canvas.scrollIntoViewIfNeeded();
    const box = (await canvas.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    for (const at of [60, 120, 200])
      await page.mouse.move(box.x + at, box.y + 20 + (at % 50), { steps: 3 });
    await page.mouse.up();
  },
});

/** Starts Chromium for the tests of this file. */
export const phoneBrowser = (stack: LocalStack) => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'pto-phone-'));
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const office = () => operatorClients(stack);
  return {
    ...{ folder, office },
    /** A driver, of a carrier of their own unless one is given. */
    aDriver: async (name = 'Kim Muster', carrierId = '') => {
      const of = { name: `Couriers ${randomUUID().slice(0, 8)}`, telephone: '+49 30 1234567' };
      const { carriers } = office();
      const id = carrierId || (await carriers.createCarrier(of)).carrier!.id;
      const { driver } = await carriers.createDriver({ carrierId: id, name });
      return { id: driver!.id, carrierId: id };
    },
    linkOf: async ({ id }: { id: string }) =>
      (await office().drivers.createDriverLink({ driverId: id })).url,
    /** An order that this driver has. */
    anOrderOf: async (driver: { id: string; carrierId: string }, more: object = {}) => {
      const { body } = await partner(stack).post('/orders', { ...orderBody(), ...more });
      const circumstances = { orderId: body.id as string };
      await office().orders.assignOrder({ circumstances, carrierId: driver.carrierId });
      await office().orders.acceptOrder({ circumstances });
      await office().orders.assignDriver({ circumstances, driverId: driver.id });
      return circumstances.orderId;
    },
    /** Waits for the entry of a type in an order's history. @returns all entries. */
    entriesUpTo: (orderId: string, type: string) =>
      until(
        async () => {
          const { body } = await partner(stack).get(`/orders/${orderId}/events`);
          return body.some((one: { internal_type: string }) => one.internal_type === type) && body;
        },
        { what: `an entry ${type}` },
      ),
    /** The phone of a driver: a context of its own. */
    aPhone: async (options: BrowserContextOptions = {}) =>
      driven(await openWatched(browser, { ...phone, ...options })),
    /** A phone whose browser can be closed and opened again. */
    aProfile: async (options: BrowserContextOptions & { readonly args: readonly string[] }) => {
      const context: BrowserContext = await openProfile(folder, { ...phone, ...options });
      return driven(await openWatched({ newContext: async () => context } as Browser));
    },
  };
};
