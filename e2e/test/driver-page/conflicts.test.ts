/** The driver's page beside the office, other pages of the phone, and other drivers on it. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser, says } from './phone-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)("the driver's page", () => {
  const { office, aDriver, linkOf, anOrderOf, aPhone, entriesUpTo } = phoneBrowser(stack);

  const begun = async (url: string, options = {}) => {
    const phone = await aPhone(options);
    await phone.page.goto(url);
    await phone.tap('Begin the shift');
    await phone.page.getByText('All is sent').waitFor();
    return phone;
  };
  const typesOf = async (id: string): Promise<readonly string[]> =>
    (await partner(stack).get(`/orders/${id}/events`)).body.map(
      (one: { internal_type: string }) => one.internal_type,
    );

  test('a record that the office has overtaken is kept, and the page says why and whom to call', async () => {
    const driver = await aDriver();
    const [cancelled, given] = [await anOrderOf(driver), await anOrderOf(driver)];
    const { page, context, tap, judge } = await begun(await linkOf(driver));
    for (const id of [cancelled, given]) await page.locator(`a[href$="${id}"]`).waitFor();
    await context.setOffline(true);
    for (const id of [cancelled, given]) {
      await page.locator(`a[href$="${id}"]`).tap();
      await tap('I have arrived');
      await tap('Start the pick-up');
      await says(page, 'Pick-up started');
      await page.getByRole('link', { name: 'All transports' }).tap();
    }
    await says(page, 'Not sent: 4');
    await judge();
    const other = await aDriver('Robin Other', driver.carrierId);
    const { orders } = office();
    await orders.cancelOrder({ circumstances: { orderId: cancelled }, reason: 'Not needed.' });
    const circumstances = { orderId: given };
    await orders.releaseDriver({ circumstances });
    await orders.assignDriver({ circumstances, driverId: other.id });
    await context.setOffline(false);
    await says(page, 'All is sent');
    await says(page, 'Look here: 2');
    await page.locator(`a[href$="${cancelled}"]`).tap();
    await says(page, 'The office has cancelled this order.');
    await says(
      page,
      /cancelled the order meanwhile\. Nothing is lost: your record is entry \d+ of/,
    );
    expect(await page.locator('a.call[href^="tel:"]').first().getAttribute('href')).toBe(
      'tel:+49301234567',
    );
    await judge();
    await page.getByRole('link', { name: 'All transports' }).tap();
    await page.locator(`a[href$="${given}"]`).tap();
    await says(page, 'The office has given this order to somebody else.');
    await says(page, /somebody else meanwhile\. Nothing is lost/);
    await judge();
    for (const id of [cancelled, given])
      expect((await typesOf(id)).filter((type) => type === 'DEVICE_RECORD_KEPT')).toHaveLength(2);
    await context.close();
  });

  test('an order with the longest texts of the contract fits the page', async () => {
    const driver = await aDriver();
    const long = 'w'.repeat(100);
    const place = { label: long, street: long, zip: '10117', city: long, country: 'DE' };
    const { body } = await partner(stack).post('/locations', { ...place, contact_name: long });
    const at = { location_id: body.id };
    const more = { pickup: at, dropoff: at, external_id: long, notes: long, pickup_detail: long };
    await anOrderOf(driver, more);
    const { page, context, openOrder, judge } = await begun(await linkOf(driver));
    await says(page, long);
    await judge();
    await openOrder();
    await page.locator('h1').filter({ hasText: long }).waitFor();
    await judge();
    await context.close();
  });

  test('of two pages that record the same step one does', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page, context, openOrder } = await begun(await linkOf(driver));
    await openOrder();
    const second = await context.newPage();
    await second.goto(page.url());
    const arrived = (one: Page) => one.getByRole('button', { name: 'I have arrived' });
    const ready = (one: Page) => arrived(one).and(one.locator('[aria-disabled=false]')).waitFor();
    await Promise.all([ready(page), ready(second)]);
    // the second one does not learn of it before its own tap
    await page.evaluate('BroadcastChannel.prototype.postMessage = () => {}');
    await arrived(page).tap();
    await page.getByRole('button', { name: 'Start the pick-up' }).waitFor();
    await arrived(second).tap();
    for (const one of [page, second])
      await one.getByRole('button', { name: 'Start the pick-up' }).waitFor();
    await says(page, 'All is sent');
    const types = await entriesUpTo(id, 'DRIVER_ARRIVED');
    expect(
      types.filter((one: { internal_type: string }) => one.internal_type === 'DRIVER_ARRIVED'),
    ).toHaveLength(1);
    expect(await page.locator('.records li').count()).toBe(1);
    await context.close();
  });

  test('a second driver of the phone sees and sends nothing of the first, who goes on later', async () => {
    const [first, second] = [await aDriver('Anna First'), await aDriver('Bo Second')];
    const id = await anOrderOf(first, { external_id: 'ORDER-OF-ANNA' });
    const { page, context, tap, openOrder, judge } = await begun(await linkOf(first));
    await openOrder();
    let hasSecondBegun = false;
    await page.route('**/RecordArrival', (route) =>
      hasSecondBegun ? route.continue() : route.abort(),
    );
    await tap('I have arrived');
    await says(page, 'Not sent: 1');
    // a page of the first shift stays open beside the second one
    const later = await context.newPage();
    await later.goto(await linkOf(second));
    later.on('response', (response) => {
      hasSecondBegun ||= /driver.session$/.test(response.url()) && response.status() === 204;
    });
    await later.getByRole('button', { name: 'Begin the shift' }).tap();
    await says(later, 'You have no transport now');
    await says(page, 'Not your order');
    await later.close();
    await page.getByRole('link', { name: 'All transports' }).tap();
    await says(page, 'You have no transport now');
    await says(page, 'All is sent');
    await page.getByRole('link', { name: 'Shift' }).tap();
    await says(page, 'Bo Second');
    await judge();
    expect(await page.locator('body').innerText()).not.toMatch(/Anna|ORDER-OF-ANNA/);
    expect(await typesOf(id)).not.toContain('DRIVER_ARRIVED');
    await page.goto('about:blank');
    await page.goto(await linkOf(first));
    await tap('Begin the shift');
    const entries = await entriesUpTo(id, 'DRIVER_ARRIVED');
    const [arrived] = entries.filter(
      (one: { internal_type: string }) => one.internal_type === 'DRIVER_ARRIVED',
    );
    expect(arrived.payload.device.driver_id).toBe(first.id);
    await context.close();
  });

  test('a shift ends with a warning about what is not sent, and can be extended before', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, context, tap, judge, openOrder } = await begun(await linkOf(driver));
    await openOrder();
    await page.route('**/RecordArrival', (route) => route.abort());
    await tap('I have arrived');
    await page.getByRole('link', { name: 'All transports' }).tap();
    await page.getByRole('link', { name: 'Shift' }).tap();
    await page.getByRole('button', { name: 'End the shift' }).waitFor();
    expect(await page.getByRole('button', { name: 'Extend the shift' }).count()).toBe(0);
    const session = async () =>
      (await page.request.get(new URL('/driver/session', page.url()).href)).json();
    const until14 = (await session()).session.expiresAt;
    await page.clock.setFixedTime(Date.now() + 12.5 * 3_600_000);
    await tap('Extend the shift');
    await until(async () => (await session()).session.expiresAt > until14, {
      what: 'the extension',
    });
    await tap('End the shift');
    await says(page, 'Not sent: 1. They stay on this phone');
    await judge();
    await tap('Yes, end the shift');
    await says(page, 'No shift on this phone');
    await judge();
    await page.reload();
    await says(page, 'Ask the dispatcher for a link');
    await context.close();
  });

  test('a hidden page reads nothing', async () => {
    const driver = await aDriver();
    const { page, context } = await begun(await linkOf(driver));
    await page.clock.install();
    await page.reload();
    await says(page, 'You have no transport now');
    let calls = 0;
    page.on('request', () => calls++);
    const hide = (state: 'hidden' | 'visible') =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         dispatchEvent(new Event('visibilitychange')); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide('hidden');
    await page.clock.runFor(120_000);
    expect(calls).toBe(0);
    await hide('visible');
    await page.clock.runFor(16_000);
    await until(() => calls > 0, { what: 'a read of the visible page' });
    await context.close();
  });

  test('steps out of turn, and a scan of other seals, are recorded and said', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver, { required_evidence: { dropoff: ['scan'] } });
    const { page, context, tap, judge, openOrder } = await begun(await linkOf(driver));
    await openOrder();
    await page.locator('.others summary').tap();
    await judge();
    await tap('Go on without the arrival');
    await tap('Start the pick-up');
    await tap('Record the seals');
    await says(page, 'Enter a seal for each item.');
    await page.getByLabel('Seal 1').fill('S-1');
    await tap('Record the seals');
    await page.getByLabel('Who hands them over').fill('Nurse A');
    await tap('Record the handover');
    await says(page, 'Add a code, a signature, a photo, scanned seals or a checked identity.');
    await page.getByLabel('I have checked the identity').tap();
    await tap('Record the handover');
    await tap('Start the transport');
    await page.locator('.others summary').tap();
    await tap('Report an incident');
    await page.getByLabel('Kind').selectOption('delay');
    await page.getByLabel('What happened').fill('The road is closed.');
    await judge();
    await tap('Report the incident');
    await page.locator('.others summary').tap();
    await tap('Transfer to another carrier or driver');
    await page.getByLabel(/Who takes the goods/).fill('Night Riders');
    await page.getByLabel('Who receives them').fill('N. Rider');
    await page.getByLabel('I have checked the identity').tap();
    await tap('Record the handover');
    await page.locator('.others summary').tap();
    await tap('Go on without the arrival');
    await says(page, 'Required: scan');
    await page.getByLabel('Or type a seal').fill('S-9');
    await tap('Add');
    await says(page, 'Not scanned: S-1. If you record it so, it is reported as an incident.');
    await judge();
    await tap('Record the handover');
    // the form of the first scan may still be there, which says the same
    await page.getByText('Not scanned: S-1.').waitFor({ state: 'detached' });
    await says(page, 'Required: scan');
    await page.getByLabel('Or type a seal').fill('S-1');
    await tap('Add');
    await says(page, 'All seals are right.');
    await tap('Record the handover');
    await tap('Deliver');
    await says(page, 'You hand over the goods.');
    await tap('Back');
    expect(await page.getByRole('button', { name: 'Yes, delivered' }).count()).toBe(0);
    await tap('Deliver');
    await tap('Yes, delivered');
    await tap('Finish this transport');
    await entriesUpTo(id, 'ORDER_CLOSED');
    const types = await typesOf(id);
    expect(types.filter((type) => type === 'HANDOVER_RECORDED')).toHaveLength(4);
    for (const type of ['INCIDENT_REPORTED', 'SEAL_MISMATCH']) expect(types).toContain(type);
    expect(types).not.toContain('DRIVER_ARRIVED');
    await context.close();
  });

  test('what the service does not accept is said, and can be corrected', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, context, tap, openOrder, judge } = await begun(await linkOf(driver), {
      permissions: [],
    });
    await openOrder();
    await page.route('**/StartPickup', async (route) => {
      const body = JSON.parse(route.request().postData()!);
      body.circumstances.device.signature = 'A'.repeat(86);
      await route.continue({ postData: JSON.stringify(body) });
    });
    await tap('I have arrived');
    await tap('Start the pick-up');
    await says(page, 'not accepted');
    await says(page, /The history has nothing of it\. Correct it and record it again/);
    await judge();
    await page.unrouteAll();
    await tap('Start the pick-up');
    await page.getByRole('button', { name: 'Record the seals' }).waitFor();
    await context.close();
  });
});
