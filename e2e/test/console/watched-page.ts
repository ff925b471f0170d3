/** A page in Chromium that is watched for what it must not do. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import { until } from '@pto/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns what axe finds against a page, with these options of its `run`. */
export const violationsOn = async (page: Page, options: object = {}): Promise<string[]> => {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${axe};0`);
  const run = JSON.stringify({ resultTypes: ['violations'], ...options });
  return page.evaluate(
    `axe.run(${run}).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ' ' + nodes.map(({ html, any }) => html + ' ' + any[0]?.message).join()))`,
  );
};

/** Texts that break pages: markup, controls of the text direction, one long word, emoji. */
export const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '\u202Ereversed\u2066\u200B',
  'w'.repeat(200),
  '🫀🩸'.repeat(40),
];

/** Characters that change the direction of a text, or are invisible: a page marks them. */
const unmarked = /[\u202A-\u202E\u2066-\u2069\u200B]/;

/** Returns the words of Latin letters that a line break divides, those within a long run excepted. */
const brokenWords = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('.hidden, caption, script, style')) continue;
    for (const run of node.data.matchAll(/\\S+/g)) {
      if (run[0].length >= 25) continue;
      for (const word of run[0].matchAll(/[\\p{Script=Latin}\\d]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, run.index + word.index);
        range.setEnd(node, run.index + word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1)
          found.push(innerWidth + ' ' + location.pathname + ': ' + word[0] + ' in ' + node.parentElement.outerHTML.slice(0, 200));
      }
    }
  }
  return found;
})()`;

/** Width up to which a page is used by a finger, and the least height of what is pressed, in px. */
const [phoneMax, targetMin] = [640, 44];

/** Returns what a person presses, links within a text excepted, and is lower than a finger needs. */
const smallTargets = `(() => {
  const pressed = [
    'button, summary, select, textarea, input:not([type=radio], [type=checkbox])',
    'label:has([type=radio], [type=checkbox])',
    'nav a, a.button, a[download], a[href^="tel:"], .bar > a, td.title > a',
  ];
  return [...document.querySelectorAll(pressed.join())]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < ${targetMin - 0.5})
    .map((one) => one.outerHTML.slice(0, 200));
})()`;

/** Returns the elements that make the page wider than its window. */
const wider = `(() => {
  const page = document.documentElement;
  return page.scrollWidth <= innerWidth ? [] : [page, ...page.querySelectorAll('*')]
    .filter((one) => one === page || one.getBoundingClientRect().right > innerWidth)
    .map((one) => page.scrollWidth + ': ' + one.cloneNode().outerHTML.slice(0, 200));
})()`;

/** Opens an empty page in a context of its own. */
export const openWatched = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  /** Errors, dialogs, and violations of the policy. */
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security|Trusted/i.test(message.text())) faults.push(message.text());
  });
  const waitForAll = () =>
    until(async () => (await page.locator('.skeleton').count()) === 0, { what: 'the whole page' });
  /** Expects a whole page without faults that is not wider than its window. */
  const fits = async (isLoading = false): Promise<void> => {
    if (!isLoading) await waitForAll();
    expect(await page.evaluate(wider)).toEqual([]);
    const cut = `[...document.querySelectorAll("nav, .scroll")]
      .filter((n) => n.scrollWidth > n.clientWidth)
      .flatMap((n) => [n, ...n.querySelectorAll("*")].filter((one) => one === n ||
        one.children.length === 0 && one.getBoundingClientRect().right > n.getBoundingClientRect().right))
      .map((n) => innerWidth + " " + location.pathname + ": " + n.outerHTML.slice(0, 200))`;
    expect(await page.evaluate(cut)).toEqual([]);
    if (page.viewportSize()!.width <= phoneMax)
      expect(await page.evaluate(smallTargets)).toEqual([]);
    expect(await page.evaluate(brokenWords)).toEqual([]);
    const texts = await page.evaluate<string>('document.title + document.body.innerText');
    expect(texts).not.toMatch(unmarked);
    expect(faults).toEqual([]);
  };
  /**
   * Expects an accessible page that `fits`. axe takes half a second of the processor; another width
   * of the same page needs `fits` alone.
   * @param isLoading whether parts of it still wait for their answers.
   * @param rules of axe, other than the usual ones.
   */
  const judge = async (isLoading = false, rules: object = {}): Promise<void> => {
    if (!isLoading) await waitForAll();
    expect(await violationsOn(page, { rules })).toEqual([]);
    await fits(isLoading);
  };
  return { context, page, judge, fits };
};
