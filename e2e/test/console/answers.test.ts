/** What a person reads when a proxy, the console's server or nobody has answered, by the status. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { answerOf, statusOf, unanswered } from '../../../console/src/calls/answer.ts';
import { textOf } from '../../../console/src/driver/failure-words.ts';
import { german as ofDriver } from '../../../console/src/driver/german.ts';
import { setLanguage, type Words } from '../../../console/src/parts/words.ts';
import { german as ofPortal } from '../../../console/src/portal/german/index.ts';
import { hasChromium } from '../../chromium.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();

const headers = { 'content-type': 'text/html' };
/** Codes of Connect. */
const [unknown, permissionDenied, unavailable] = [2, 7, 14];
/** As the Connect client throws it. */
const thrown = (rawMessage: string, code: number, of: Record<string, string> = headers) => ({
  ...{ rawMessage, code, metadata: new Headers(of) },
});
const rpc = (status: number | undefined) =>
  status === undefined
    ? thrown('Failed to fetch', unknown, {})
    : thrown(`HTTP ${status}`, status === 500 ? unknown : unavailable);
/** What a driver reads. */
const driversText = (status: number | undefined) =>
  textOf({ kind: `${answerOf(statusOf(rpc(status)))}`, message: '' });

interface Row {
  readonly status: number | undefined;
  readonly english: string;
  readonly german: string;
  /** Whether the page reads again without the person. */
  readonly isOffline: boolean;
  /** Whether a command may have been done. */
  readonly isOpen: boolean;
}
const busy = {
  english: 'The server is busy or being updated.',
  german: 'Der Server ist ausgelastet oder wird erneuert.',
  ...{ isOffline: true, isOpen: true },
};
const rows: readonly Row[] = [
  {
    ...{ status: undefined, english: 'No answer.', german: 'Keine Antwort.' },
    ...{ isOffline: true, isOpen: true },
  },
  {
    ...{ status: 429, english: 'Too many requests.', german: 'Zu viele Anfragen.' },
    ...{ isOffline: true, isOpen: false },
  },
  { status: 502, ...busy },
  { status: 503, ...busy },
  { status: 504, ...busy },
  {
    ...{ status: 500, english: 'The server has an error.', german: 'Der Server hat einen Fehler.' },
    ...{ isOffline: false, isOpen: true },
  },
];

describe('an answer of no service', () => {
  const inGerman = (words: Words, read: () => string): string => {
    setLanguage('de', words);
    return read();
  };
  afterEach(() => setLanguage('en', {}));

  test.each(rows)('$status has one meaning for operators, partners and drivers', (row) => {
    const { status, english, german, isOffline, isOpen } = row;
    const read = () => unanswered(status, '', '');
    expect(statusOf(rpc(status))).toBe(status);
    expect(read()).toMatchObject({ what: english, isOffline, isOpen, kind: '' });
    expect(read().message.startsWith(`${english} `)).toBe(true);
    expect(driversText(status).startsWith(`${english} `)).toBe(true);
    expect(inGerman(ofPortal, () => read().what)).toBe(german);
    expect(inGerman(ofDriver, () => driversText(status))).toContain(german.slice(0, -1));
  });

  test('the sign-in page of a network is no answer', () => {
    const page = thrown('unsupported content type text/html', unknown);
    expect(statusOf(page)).toBeUndefined();
  });

  test('a wrong request has the words of its answer', () => {
    const denied = thrown('Not yours.', permissionDenied);
    const found = { message: 'Not yours.', isOffline: false, isOpen: false };
    expect(unanswered(statusOf(denied), denied.rawMessage, '')).toMatchObject(found);
  });
});

(hasChromium ? describe : describe.skip)('while a proxy answers', () => {
  const console = consoleBrowser(stack);
  const answersBy = (page: Page, url: RegExp, status: number) =>
    page.route(url, (route) => route.fulfill({ status, body: '<html>', headers }));

  test.each([
    [429, /Too many requests\. The page tries again\./, /Too many requests\. Wait a minute/],
    [502, /busy or being updated\. The page tries again\./, /busy or being updated\. It may/],
  ])('%s, page and command of the console say so', async (status, read, sent) => {
    const id = (await partner(stack).post('/orders', orderBody())).body.id;
    const { page, close } = await console.open(['dispatcher']);
    await console.goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    const window = page.getByRole('dialog');
    await window.getByLabel('Transport organization').fill('City Couriers');
    await answersBy(page, /AssignOrder/, status);
    await window.getByRole('button', { name: 'Assign', exact: true }).click();
    await window.getByText(sent).waitFor();
    await window.getByRole('button', { name: 'Back' }).click();
    await answersBy(page, /\/rpc/, status);
    const alert = page.locator('.unanswered');
    await alert.getByText(read).waitFor();
    expect(await alert.innerText()).toMatch(/Data of \d{4}/);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await alert.waitFor({ state: 'detached' });
    await close();
  });

  test.each([
    [429, 'Zu viele Anfragen. Die Seite versucht es weiter.'],
    [502, 'Der Server ist ausgelastet oder wird erneuert. Die Seite versucht es weiter.'],
  ])('%s, the German portal says so', async (status, text) => {
    const { context, close } = await console.openEmpty({ locale: 'de-DE' });
    const page = await portalPage(stack, context, '/orders', 'Portal öffnen');
    await page.locator('table').waitFor();
    await answersBy(page, /\/api\//, status);
    await page.locator('.unanswered').getByText(text).waitFor({ timeout: 60_000 });
    await close();
  });
});
