/** The console in Chromium, as tests open and judge it. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../chromium.ts';
import { signInToConsole } from '../../console-sign-in.ts';
import type { LocalStack } from '../../local-stack.ts';
import { openWatched } from './watched-page.ts';

/** Starts Chromium for the tests of this file. The functions act on the page that was opened last. */
export const consoleBrowser = (stack: LocalStack) => {
  let browser: Browser;
  let watched: Awaited<ReturnType<typeof openWatched>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  return {
    /** An empty page, on which nobody has signed in. */
    openEmpty: async (options: BrowserContextOptions = {}) => {
      watched = await openWatched(browser, options);
      const { page, context } = watched;
      return { context, page, close: () => context.close() };
    },
    /** Signs in by a new personal token with these roles. */
    open: async (roles: readonly string[], options: BrowserContextOptions = {}) => {
      watched = await openWatched(browser, options);
      const { page, context } = watched;
      await signInToConsole(page, stack, roles);
      return { context, page, close: () => context.close() };
    },
    goTo: (path: string) => watched.page.goto(stack.file().consoleUrl + path),
    /** Expects a page or dialog that is accessible, fits its window, and has broken no policy. */
    judge: () => watched.judge(),
    /** Expects the same of a page that was judged, at another width, without axe. */
    fits: () => watched.fits(),
  };
};
