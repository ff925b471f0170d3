/** The page of a link for one order in Chromium, as a ward opens it, and how operators make links. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newApiKey } from '@pto/access';
import { readingsCsv, until } from '@pto/testing';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { walkOrder } from '../../load.ts';
import { operator, operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { proofsOf } from '../proven-proof.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { openWatched } from './watched-page.ts';

const stack = sharedStack();
const phone = { viewport: { width: 390, height: 844 }, locale: 'en-GB' } as const;

/** An order on its way, with limits, readings and the notes of both sides. */
const onTheWay = async (more: object = {}): Promise<string> => {
  const body = orderBody({
    ...{ temperature_min: 2, temperature_max: 8, notes: 'for Ms. Patient', external_id: undefined },
    ...{ pickup_detail: 'Gate 3', dropoff_detail: 'Night porter', ...more },
  });
  const orderId: string = (await partner(stack).post('/orders', body)).body.id;
  await walkOrder(stack, orderId, 'IN_TRANSIT');
  const readings = {
    ...{ content: Buffer.from(readingsCsv(4.5, 6.5, 5)), mediaType: 'text/csv' },
    ...{ deviceId: 'LOG-7', unit: 'celsius' },
  };
  const { orders } = operatorClients(stack);
  await orders.recordCondition({ circumstances: { orderId }, readings });
  return orderId;
};
const linkOf = async (orderId: string, side = 'dropoff', of = partner(stack)): Promise<string> => {
  const { status, body } = await of.post(`/orders/${orderId}/links`, { side });
  expect(status).toBe(201);
  return body.url;
};

const portal = async () =>
  new URL((await partner(stack).post('/portal-links', {})).body.url).origin;

/** What a browser on the page gets for a secret. */
const ask = async (secret: unknown, name = 'read') => {
  const origin = await portal();
  const response = await fetch(`${origin}/o/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ secret }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
};
const secretOf = (url: string) => new URL(url).hash.slice(1);

test('every link that shows nothing has the same answer, whatever the reason', async () => {
  const orderId = await onTheWay();
  const { access, orders } = operatorClients(stack);
  const { organization } = await access.createOrganization({ name: 'Ward' });
  const keyOf = async (organizationId: string) =>
    access.issueKey({ organizationId, scopes: ['orders:read', 'orders:write'] });
  const issued = await keyOf(stack.file().organizations[0]!.id);
  const [revoked, disabled] = [
    await keyOf(issued.key!.organizationId),
    await keyOf(organization!.id),
  ];
  const own = partner(stack, disabled.secret);
  const disabledOrder = (await own.post('/orders', orderBody())).body.id;
  const secrets: Record<string, unknown> = {
    guessed: newApiKey('sandbox'),
    'of another environment': newApiKey('production'),
    'no secret': 'x',
    'no text': { a: 1 },
    'an API key': issued.secret,
    'of a revoked key': secretOf(await linkOf(orderId, 'dropoff', partner(stack, revoked.secret))),
    'of a disabled organization': secretOf(await linkOf(disabledOrder, 'dropoff', own)),
  };
  const { orderLinks } = operatorClients(stack);
  const foreign = { organizationId: organization!.id, orderId, side: 'dropoff' };
  secrets["of another organization's order"] = secretOf(
    (await orderLinks.createOrderLink(foreign)).url,
  );
  const erased: string = await onTheWay();
  secrets['of an erased order'] = secretOf(await linkOf(erased));
  await walkOrder(stack, erased);
  expect((await ask(secrets['of an erased order'])).status).toBe(200);
  await orders.erasePersonalData({ circumstances: { orderId: erased }, reason: 'asked' });
  await access.revokeKey({ id: revoked.key!.id });
  await access.setOrganizationEnabled({ id: organization!.id, enabled: false });
  const ended = await linkOf(orderId);
  secrets.ended = secretOf(ended);
  await partner(stack).call('DELETE', `/orders/${orderId}/links`);
  const names = ['open', 'read', 'certificate-en', 'certificate-de', 'constructor', 'orders'];
  const answers = async () =>
    Promise.all(
      Object.values(secrets).flatMap((secret) =>
        names.map(async (name) => {
          const { status, text, headers } = await ask(secret, name);
          const fixed = [...headers].filter(([header]) => header !== 'date');
          return JSON.stringify([status, text, fixed]);
        }),
      ),
    );
  await until(async () => new Set(await answers()).size === 1, { what: 'one answer for all' });
  const [answer] = await answers();
  expect(answer).toContain('404');
  expect(answer).toContain('This link has ended, or never was one.');
  expect(answer).toContain('no-store');
});

(hasChromium ? describe : describe.skip)('the page of a link', () => {
  const { open: signIn, goTo, judge: judgeOffice } = consoleBrowser(stack);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  const open = async (url: string, options: BrowserContextOptions = {}) => {
    const opened = await openWatched(browser, { ...phone, ...options });
    await opened.page.goto(url);
    await opened.page.locator('h1').waitFor();
    const text = () => opened.page.locator('body').innerText();
    return { ...opened, text, close: () => opened.context.close() };
  };

  test.each([
    { width: 320, locale: 'en-GB', says: 'On the way to you', damage: 'damage' },
    { width: 390, locale: 'de-DE', says: 'Unterwegs zu Ihnen', damage: 'Beschädigung' },
  ])('is read on a phone of $width px in $locale, also dark and without motion', async (one) => {
    const orderId = await onTheWay();
    const note = 'Ms. Patient dropped it.';
    const { orders } = operatorClients(stack);
    await orders.reportIncident({ circumstances: { orderId }, note, kind: 'damage' });
    const url = await linkOf(orderId);
    const options = { viewport: { width: one.width, height: 640 }, locale: one.locale };
    const { page, judge, text, close } = await open(url, { ...options, reducedMotion: 'reduce' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await judge();
    }
    expect(await page.title()).toContain(one.says);
    expect(await page.locator('html').getAttribute('lang')).toBe(one.locale.slice(0, 2));
    const moving = `document.getAnimations().filter((one) => one.playState === 'running').length`;
    expect(await page.evaluate(moving)).toBe(0);
    const words = await text();
    for (const shown of [
      one.says,
      one.damage,
      'Night porter',
      /\d\d:\d\d (CET|MEZ|CEST|MESZ)/,
      /The dispatcher knows of it|Die Disposition weiß davon/,
      '8',
    ])
      expect(words).toMatch(shown);
    expect(words).not.toMatch(/\d UTC/);
    expect(words).not.toMatch(/Patient|Gate 3|Charit|blood|S-1|[0-9a-f]{32}/);
    // a picture of the address bar and the page's sources tell no more
    expect(await page.content()).not.toMatch(/Patient|Gate 3|Charit/);
    const other = one.locale === 'en-GB' ? 'Deutsch' : 'English';
    await page.getByRole('button', { name: new RegExp(other) }).click();
    await judge();
    expect(await text()).toMatch(other === 'Deutsch' ? 'Unterwegs zu Ihnen' : 'On the way to you');
    // zoomed to 200 %
    await page.evaluate(`document.documentElement.style.zoom = '2'`);
    const isCut = `document.documentElement.scrollWidth > document.documentElement.clientWidth`;
    expect(await page.evaluate(isCut)).toBe(false);
    await close();
  });

  test('several people open it, on one phone beside another link, and openings are counted', async () => {
    const [mine, other] = [await onTheWay(), await onTheWay({ dropoff_detail: 'Gate of another' })];
    const [url, otherUrl] = [await linkOf(mine), await linkOf(other)];
    const first = await open(url);
    const second = await first.context.newPage();
    await second.goto(otherUrl);
    await second.getByText('Gate of another').waitFor();
    await first.page.reload();
    await first.page.getByText('Night porter').waitFor();
    expect(await first.context.cookies()).toEqual([]);
    const third = await open(url);
    const { body } = await partner(stack).get(`/orders/${mine}/links`);
    expect(body[0]).toMatchObject({ side: 'dropoff', views: 3 });
    await third.close();
    await first.close();
  });

  test('it follows the order while visible, says when it is not current, and that it has ended', async () => {
    const id = await onTheWay();
    const { page, context, text, judge, close } = await open(await linkOf(id));
    await page.clock.install();
    await page.reload();
    await page.locator('h1').waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/o/read')) reads++;
    });
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${hidden ? 'hidden' : 'visible'}', configurable: true });
         dispatchEvent(new Event('visibilitychange')); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const shows = (words: string) =>
      until(
        async () => {
          await page.clock.runFor(16_000);
          const found = await text();
          if (!found.includes(words)) throw new Error(`the page says ${found}`);
          return true;
        },
        { what: words, deadlineMs: 60_000 },
      );
    await hide(true);
    await page.clock.runFor(60_000);
    expect(reads).toBe(0);
    await hide(false);
    await walkOrder(stack, id, 'DELIVERED');
    await shows('Handed over to you');
    expect(await text()).not.toContain('D. Driver');
    await context.setOffline(true);
    await page.clock.runFor(16_000);
    await page.getByText('Not current').waitFor();
    await judge();
    expect(await text()).toContain('Handed over to you');
    await context.setOffline(false);
    await page.clock.runFor(16_000);
    await page.getByText('Not current').waitFor({ state: 'detached' });
    await page.route('**/o/read', (route) => route.fulfill({ status: 429, json: {} }));
    await page.clock.runFor(16_000);
    await page.getByText('Not current').waitFor();
    await page.unroute('**/o/read');
    await page.clock.runFor(16_000);
    await page.getByText('Not current').waitFor({ state: 'detached' });
    await partner(stack).call('DELETE', `/orders/${id}/links`);
    await shows('This link has ended');
    expect(await text()).not.toMatch(/Night porter|Handed over/);
    await judge();
    const after = reads;
    await page.clock.runFor(60_000);
    expect(reads).toBe(after);
    await close();
  });

  test('at the end it has the certificate without names of persons', async () => {
    const id = await onTheWay();
    const url = await linkOf(id, 'pickup');
    expect((await ask(secretOf(url), 'certificate-de')).status).toBe(404);
    await walkOrder(stack, id);
    const { page, judge, close, text } = await open(url, { locale: 'de-DE' });
    await judge();
    expect(await text()).toMatch(/Übergeben\n+[^\n]*\d\d:\d\d/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Zertifikat herunterladen (PDF)' }).click(),
    ]);
    const file = readFileSync(await download.path(), 'latin1');
    expect([download.suggestedFilename(), file.slice(0, 5)]).toEqual([
      'certificate-de.pdf',
      '%PDF-',
    ]);
    await close();
  });

  test('its code makes a handover of the method code, five wrong ones lock it, a dispatcher unlocks', async () => {
    const id = await onTheWay({ required_evidence: { dropoff: ['code'] } });
    const url = await linkOf(id);
    const { page, judge, text, close } = await open(url);
    const code = () => page.locator('.code strong').innerText();
    const [first, other] = [await code(), await open(await linkOf(id, 'pickup'))];
    expect(first).toMatch(/^\d{4}$/);
    expect(await other.text()).not.toMatch(/Code for the driver|\b\d{4}\b(?! at)/);
    await other.close();
    expect(await text()).toContain('Show this to the driver when the goods change hands');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await judge();
    }
    const { orders } = operatorClients(stack);
    const circumstances = { orderId: id };
    const handOver = (digits: string) =>
      orders.recordHandover({
        ...{ circumstances, stage: 'dropoff', methods: ['code'], code: digits },
        from: { party: 'City Couriers', role: 'courier' },
        to: { party: 'Ward', role: 'consignee' },
      });
    const wrong = (Number(first) + 1).toString().padStart(4, '0').slice(-4);
    for (let n = 0; n < 5; n++) await expect(handOver(wrong)).rejects.toThrow('the code is wrong');
    await expect(handOver(first)).rejects.toThrow('is locked after 5 wrong ones');

    const office = await signIn(['dispatcher']);
    await goTo(`/orders/${id}`);
    await office.page.getByText('The code of the dropoff is locked').waitFor();
    await judgeOffice();
    await office.page.getByRole('button', { name: 'Unlock' }).click();
    await judgeOffice();
    await office.page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click();
    await office.page.getByText('The code of the dropoff is locked').waitFor({ state: 'detached' });
    await office.close();
    await page.reload();
    await page.locator('.code').waitFor();
    const done = await operator(
      ...[stack, 'order', 'handover', id, '--stage', 'dropoff', '--method', 'code'],
      ...['--from', 'City Couriers', '--from-role', 'courier', '--to', 'Ward'],
      ...['--to-role', 'consignee', '--code', await code()],
    );
    expect(done.code).toBe(0);
    await page.reload();
    await page.locator('h1').waitFor();
    expect(await page.locator('.code').count()).toBe(0);
    await orders.deliverOrder({ circumstances });

    const { provenProof, verdictOn } = proofsOf(stack);
    const entries = await until(
      async () => {
        const { body } = await partner(stack).get(`/orders/${id}/events`);
        return body.at(-1).internal_type === 'CUSTODY_TRANSFERRED' && body;
      },
      { what: 'the entry of the delivery' },
    );
    const handover = entries.at(-2);
    expect(handover).toMatchObject({
      internal_type: 'HANDOVER_RECORDED',
      payload: { methods: ['code'] },
    });
    expect(JSON.stringify(entries)).not.toContain(`"${first}"`);
    const { json: audited } = await operator(stack, 'audit', 'list', '--target', id);
    expect(JSON.stringify(audited)).toContain('UnlockHandoverCode');
    expect(JSON.stringify(audited)).not.toMatch(new RegExp(`\\b(${first}|${wrong})\\b`));
    expect(await verdictOn(await provenProof(id, entries.length))).toMatchObject({
      verdict: 'proven',
    });
    await close();
  });

  test('a link that is not complete says so, and no page may be indexed or leave its address', async () => {
    const { page, judge, text, close } = await open(`${await portal()}/o`, {});
    expect(await text()).toContain('This link is not complete');
    await judge();
    const response = await page.goto(`${await portal()}/o`);
    const { 'x-robots-tag': robots, 'referrer-policy': referrer, ...rest } = response!.headers();
    expect([robots, referrer]).toEqual(['noindex, nofollow', 'no-referrer']);
    expect(rest['content-security-policy']).toContain("trusted-types 'none'");
    await close();
  });

  test('a dispatcher makes a link on the page of the order, sees it opened, and ends it', async () => {
    const { page, close } = await signIn(['dispatcher']);
    await goTo(`/orders/${await onTheWay()}`);
    await page.getByRole('button', { name: 'Links for a ward' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The order has no link.').waitFor();
    await judgeOffice();
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    await dialog.getByLabel('Side').selectOption('Pick-up');
    await judgeOffice();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const url = await dialog.locator('code').innerText();
    await judgeOffice();
    const opened = await open(url);
    expect(await opened.text()).toContain('Gate 3');
    await dialog.getByRole('button', { name: 'Close' }).click();
    const row = dialog.locator('tbody tr');
    await row.getByText('Pick-up').waitFor();
    await judgeOffice();
    await row.getByRole('button', { name: 'End' }).click();
    await dialog.getByRole('button', { name: 'End' }).click();
    await dialog.getByText('The order has no link.').waitFor();
    await opened.close();
    await close();
  });

  test('auditors see links and make none', async () => {
    const id = await onTheWay();
    await linkOf(id);
    const { page, close } = await signIn(['auditor']);
    await goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Links for a ward' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('tbody tr').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
    await close();
  });
});

test('the command line makes, lists and ends links', async () => {
  const id = await onTheWay();
  const made = await operator(stack, 'order', 'link', id, '--side', 'pickup', '--expires-in', '2h');
  const { url, id: link } = made.json as { url: string; id: string };
  expect((await ask(secretOf(url))).status).toBe(200);
  const { json } = await operator(stack, 'order', 'links', id);
  expect(json).toMatchObject([{ id: link, side: 'pickup', views: 0 }]);
  const audited = await operator(stack, 'audit', 'list', '--target', id);
  expect(JSON.stringify(audited.json)).toContain('access.v1.OrderLinkService/CreateOrderLink');
  expect(JSON.stringify(audited.json)).not.toContain(secretOf(url).slice(9, -6));
  const one = await operator(stack, 'order', 'end-links', id, '--link', link, '--yes');
  expect(one.code).toBe(0);
  await until(async () => (await ask(secretOf(url))).status === 404, { what: 'the end' });
});
