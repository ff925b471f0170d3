/** The console in Chromium, as tests open and judge it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { until } from '@pto/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../chromium.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts Chromium for the tests of this file. The functions act on the page that was opened last. */
export const consoleBrowser = (stack: LocalStack) => {
  let browser: Browser;
  let page: Page;
  /** What the page did that it must not do: errors, dialogs, violations of the policy. */
  let faults: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  beforeEach(() => {
    faults = [];
  });

  return {
    /** Signs in by a new personal token with these roles. */
    open: async (roles: readonly string[], options: BrowserContextOptions = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      page = await context.newPage();
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('dialog', (dialog) => {
        faults.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', (message) => {
        if (/Content Security|Trusted/i.test(message.text())) faults.push(message.text());
      });
      const { operators } = operatorClients(stack);
      const { secret } = await operators.issueToken({
        name: 'A Dispatcher',
        roles: [...roles],
        expiresInSeconds: 3600n,
      });
      await page.goto(stack.file().consoleUrl);
      await page.getByLabel('Personal token').fill(secret);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Orders' }).waitFor();
      return { context, page, close: () => context.close() };
    },
    goTo: (path: string) => page.goto(stack.file().consoleUrl + path),
    /** Expects a page or dialog that is accessible, fits its window, and has broken no policy. */
    judge: async () => {
      await until(async () => (await page.locator('.skeleton').count()) === 0, {
        what: 'the whole page',
      });
      const found = (await page.evaluate(
        `${axe};axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
      )) as string[];
      expect(found).toEqual([]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
      const isCut =
        '[...document.querySelectorAll("nav")].some((n) => n.scrollWidth > n.clientWidth)';
      expect(await page.evaluate(isCut)).toBe(false);
      expect(faults).toEqual([]);
    },
  };
};
