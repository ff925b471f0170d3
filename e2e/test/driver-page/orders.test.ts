/** The driver's list: what is urgent first, each order with its state and its time by the clock of the place. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { walkOrder } from '../../load.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser, says } from './phone-browser.ts';

const stack = sharedStack();
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

(hasChromium ? describe : describe.skip)("the driver's orders", () => {
  const { aDriver, linkOf, anOrderOf, aPhone } = phoneBrowser(stack);

  test('a late pick-up is first and says how late, delivered goods are last, and times have the zone', async () => {
    const driver = await aDriver();
    const order = (external_id: string, minutes: number, more: object = {}) =>
      anOrderOf(driver, { external_id, pickup_window_start: inMinutes(minutes), ...more });
    const delivered = await order('DELIVERED', -600);
    await order('NEXT', 30, { pickup_window_end: inMinutes(60) });
    await order('LATE', -45);
    const onTheWay = await order('ON-THE-WAY', -300);
    await order('LATEST', -125);
    await walkOrder(stack, delivered, 'DELIVERED');
    await walkOrder(stack, onTheWay, 'IN_TRANSIT');
    const { page, context, tap, judge } = await aPhone({ timezoneId: 'Asia/Kolkata' });
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    const rows = page.locator('.stops > li');
    await rows.nth(4).waitFor();
    const shown = await rows.allInnerTexts();
    const names = shown.map((text) => /[A-Z-]{4,}(?= · blood)/.exec(text)?.[0]);
    expect(names).toEqual(['LATEST', 'LATE', 'ON-THE-WAY', 'NEXT', 'DELIVERED']);
    expect(shown[0]).toMatch(/^From .*\d\d:\d\d CES?T 2 h \d min late\n/i);
    expect(shown[1]).toMatch(/ 4\d min late\n/i);
    expect(shown[2]).toMatch(/^In transit · Expected at .*\d\d:\d\d CES?T\n/i);
    expect(shown[3]).toMatch(/\d\d:\d\d CES?T\n/i);
    expect(shown[3]).not.toContain('late');
    expect(shown[4]).toMatch(/^Delivered\n(.*\n)+Finish this transport/i);
    // the question about the position pushes no order down
    expect(await page.locator('.stops + .notice').count()).toBe(1);
    await judge();
    await rows.nth(4).getByRole('link').tap();
    await page
      .locator('.standing', { hasText: 'DELIVERED' })
      .getByText('delivered', { exact: true })
      .waitFor();
    await judge();
    await context.close();
  });

  test('by a phone in the zone of the place, times have no zone', async () => {
    const driver = await aDriver();
    await anOrderOf(driver, { pickup_window_start: inMinutes(30) });
    const { page, context, tap } = await aPhone({ timezoneId: 'Europe/Vienna' });
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await page.locator('.stop strong').waitFor();
    expect(await page.locator('.stop strong').innerText()).toMatch(/^From .*\d\d:\d\d$/i);
    await context.close();
  });

  test('a handover has what is required first, and names a person where one signs', async () => {
    const driver = await aDriver();
    const required_evidence = { dropoff: ['signature'] };
    await walkOrder(stack, await anOrderOf(driver, { required_evidence }), 'IN_TRANSIT');
    const { page, context, tap, openOrder, judge } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    await says(page, 'Pick-up: ');
    expect(await page.locator('.place .place').isVisible()).toBe(false);
    await tap('I have arrived');
    const heads = page.locator('.part h2');
    await says(page, 'Handover: drop-off');
    expect(await heads.allInnerTexts()).toEqual([
      ...['Required: signature', 'Required: name', 'If you have it, too'],
    ]);
    await judge();
    await context.close();
  });
});
