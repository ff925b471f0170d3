/** What the driver's page says when a call fails: what it is, and what to do. */
import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from '@jest/globals';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { until } from '@pto/testing';
import type { Route } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser, says } from './phone-browser.ts';

const stack = sharedStack();

const failure = (kind: string, message: string) => ({
  type: FailureSchema.typeName,
  value: Buffer.from(toBinary(FailureSchema, create(FailureSchema, { kind, message }))).toString(
    'base64',
  ),
});
const limited = { code: 'resource_exhausted', details: [failure('RATE_LIMITED', 'Too many.')] };
const [busy, wrong] = [/The server is busy or being updated\./, /The server has an error\./];

/** Answers of the server, of a proxy before it, and none; and what the page says, never twice in a row. */
const answers: readonly (readonly [what: string, (route: Route) => Promise<void>, RegExp])[] = [
  ['429', (route) => route.fulfill({ status: 429, json: limited }), /Too many requests\./],
  [
    '503',
    (route) => route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Try again.' } }),
    busy,
  ],
  [
    '429 of a proxy',
    (route) => route.fulfill({ status: 429, body: 'slow' }),
    /Too many requests\./,
  ],
  ['502 of a proxy', (route) => route.fulfill({ status: 502, body: '<html>' }), busy],
  ['500', (route) => route.fulfill({ status: 500, json: { code: 'internal' } }), wrong],
  ['no answer', (route) => route.abort(), /No answer\./],
];

(hasChromium ? describe : describe.skip)("the driver's page", () => {
  const { aDriver, linkOf, anOrderOf, aPhone, entriesUpTo } = phoneBrowser(stack);

  test('without a shift and without an answer to rely on, says why it cannot begin', async () => {
    const url = await linkOf(await aDriver());
    const { page, context, tap, judge } = await aPhone({ serviceWorkers: 'block' });
    let answer = answers[0]![1];
    await page.route('**/driver/session', (route) => answer(route));
    await page.goto(url.split('#')[0]!);
    for (const [, given, said] of answers) {
      answer = given;
      await tap('Try again');
      await says(page, said);
      expect(await page.getByText('No shift on this phone').count()).toBe(0);
    }
    await judge();
    await page.goto('about:blank');
    await page.goto(url);
    for (const [, given, said] of answers.slice(0, -1)) {
      answer = given;
      await tap('Begin the shift');
      await says(page, said);
    }
    answer = (route) => route.abort();
    await tap('Begin the shift');
    await says(page, 'No answer. Press the button again within a minute');
    await page.unrouteAll();
    await tap('Begin the shift');
    await says(page, 'You have no transport now');
    const second = await aPhone({ locale: 'de-DE' });
    await second.page.goto(url);
    await second.tap('Schicht beginnen');
    await says(second.page, 'Dieser Link wurde schon geöffnet');
    await says(second.page, 'This link was opened before; it works once.');
    await second.judge();
    await second.context.close();
    await context.close();
  });

  test('with a shift, says over the orders that it has what the server says', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page, context, tap } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await page.locator(`a[href$="${id}"]`).waitFor();
    await page.clock.install();
    // a read that is still under way takes the place of the next one
    const readUntil = (what: string, isSo: () => Promise<boolean>) =>
      until(
        async () => {
          await page.clock.runFor(16_000);
          return isSo();
        },
        { what },
      );
    const bar = page.getByRole('banner');
    for (const [what, given, said] of answers) {
      await page.route('**/ListOpenOrders', given);
      const words = bar.getByText(said.source.startsWith('No') ? 'No network.' : said);
      await readUntil(what, async () => (await words.count()) > 0);
      await page.locator(`a[href$="${id}"]`).waitFor();
      await page.unrouteAll();
    }
    await readUntil('an answer', async () => (await page.locator('.pinned .warn').count()) === 0);
    await says(page, 'All is sent');
    await context.close();
  });

  test('a shift that ends while a record waits says so, and the next one sends it', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page, context, tap, openOrder, judge } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    await page.route('**/RecordArrival', (route) => route.abort());
    await tap('I have arrived');
    await says(page, 'Not sent: 1');
    const { origin } = new URL(page.url());
    await page.request.delete(`${origin}/driver/session`, { headers: { origin } });
    await page.unrouteAll();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await says(page, 'No shift on this phone');
    await says(page, 'Not sent: 1. They stay on this phone, and are sent in your next shift');
    await judge();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await says(page, 'All is sent');
    const entries = await entriesUpTo(id, 'DRIVER_ARRIVED');
    expect(entries.at(-1).payload.device.driver_id).toBe(driver.id);
    await context.close();
  });

  test('a record that is not accepted is explained in German, with the sentence of the service', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, context, tap, openOrder, judge } = await aPhone({ locale: 'de-DE' });
    await page.goto(await linkOf(driver));
    await tap('Schicht beginnen');
    await openOrder();
    await page.route('**/RecordArrival', (route) => {
      const body = route.request().postDataJSON();
      body.circumstances.device.signature = 'A'.repeat(86);
      return route.continue({ postData: JSON.stringify(body) });
    });
    await tap('Ich bin angekommen');
    await says(page, 'Die Unterschrift dieses Telefons passt nicht zum Eintrag.');
    const detail = page.locator('.explained small[lang=en]');
    expect(await detail.innerText()).toBe('device.signature: the device did not sign this record');
    await judge();
    await context.close();
  });

  test('a record at which the server has an error is sent again, and others wait no longer for it', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page, context, tap, openOrder } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    let [isCut, attempts] = [true, 0];
    await page.route('**/RecordArrival', (route) => {
      if (isCut) return route.abort();
      attempts++;
      const details = [failure('INTERNAL', 'Something went wrong on our side.')];
      return route.fulfill({ status: 500, json: { code: 'internal', details } });
    });
    await tap('I have arrived');
    await tap('Start the pick-up');
    await says(page, 'Not sent: 2');
    isCut = false;
    while ((await page.getByText('Not sent: 2').count()) > 0) await tap('Send now').catch(() => {});
    expect(attempts).toBe(6);
    await says(page, 'It is open whether the history has it.');
    await says(page, 'All is sent');
    await entriesUpTo(id, 'PICKUP_STARTED');
    await context.close();
    // an error that passes leaves no trace
    const other = await anOrderOf(driver);
    const again = await aPhone();
    await again.page.goto(await linkOf(driver));
    await again.tap('Begin the shift');
    await again.page.locator(`a[href$="${other}"]`).tap();
    let isFirst = true;
    await again.page.route('**/RecordArrival', (route) => {
      const json = { code: 'internal', details: [failure('INTERNAL', 'Something went wrong.')] };
      const answer = isFirst ? route.fulfill({ status: 500, json }) : route.continue();
      isFirst = false;
      return answer;
    });
    await again.tap('I have arrived');
    const entries: { internal_type: string }[] = await entriesUpTo(other, 'DRIVER_ARRIVED');
    expect(entries.filter((one) => one.internal_type === 'DRIVER_ARRIVED')).toHaveLength(1);
    await again.context.close();
  });

  test('a record that a proxy answers is named, waits, and holds the records of its order alone', async () => {
    const driver = await aDriver();
    const [held, other] = [await anOrderOf(driver), await anOrderOf(driver)];
    const { page, context, tap, judge } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    const html = { contentType: 'text/html', body: '<html>' };
    let answer: object = { status: 403, ...html };
    /** The orders of the arrivals that were sent. */
    const tried: string[] = [];
    await page.route('**/RecordArrival', (route) => {
      const isHeld = route.request().postData()!.includes(held);
      tried.push(isHeld ? held : other);
      return isHeld ? route.fulfill(answer) : route.continue();
    });
    const sendUntil = (what: string, isSo: () => Promise<boolean>) =>
      until(
        async () => {
          await page.evaluate("dispatchEvent(new Event('online'))");
          return isSo();
        },
        { what },
      );
    const record = async (id: string) => {
      await page.locator(`a[href$="${id}"]`).tap();
      await tap('I have arrived');
      await tap('Start the pick-up');
      await page.getByLabel('Seal 1').waitFor();
    };
    await record(held);
    await page.getByRole('link', { name: 'All transports' }).tap();
    await record(other);
    const [sent, waiting] = ['sent', 'waiting'].map((one) => page.locator(`.records .of-${one}`));
    await sendUntil('the other order', async () => (await sent!.count()) === 2);
    expect(tried.indexOf(other)).toBeGreaterThanOrEqual(3);
    await says(page, 'Not sent: 2');
    await page.getByRole('link', { name: 'All transports' }).tap();
    await says(page, 'Look here: 1');
    await page.locator(`a[href$="${held}"]`).tap();
    const explained = page.locator('.explained');
    expect(await explained.innerText()).toContain('The answer is: HTTP 403.');
    expect(await explained.locator('a.call').getAttribute('href')).toBe('tel:+49301234567');
    await judge();
    // the newest answer is named; its order's other record waits behind it, for as long as it takes
    for (const [status, said] of [
      [401, 'HTTP 401'],
      [400, 'HTTP 400'],
    ] as const) {
      answer = { status, ...html };
      await sendUntil(said, async () => (await explained.innerText()).includes(said));
    }
    expect(await waiting!.count()).toBe(2);
    await page.unrouteAll();
    await sendUntil('both records', async () => (await sent!.count()) === 2);
    expect(await explained.count()).toBe(0);
    const entries: { internal_type: string }[] = await entriesUpTo(held, 'PICKUP_STARTED');
    const types = entries.slice(-2).map((one) => one.internal_type);
    expect(types).toEqual(['DRIVER_ARRIVED', 'PICKUP_STARTED']);
    await context.close();
  });
});
