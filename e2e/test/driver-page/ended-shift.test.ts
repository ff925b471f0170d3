/** After a shift that the server has ended the phone has nothing of its orders but what is not sent. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser, says } from './phone-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('a shift that the server ends', () => {
  const { office, aDriver, linkOf, anOrderOf, aPhone, entriesUpTo } = phoneBrowser(stack);
  type Driver = Awaited<ReturnType<typeof aDriver>>;

  /** A phone with two orders, of which one has a record that is not sent and a form under way. */
  const begun = async () => {
    const driver = await aDriver();
    const more = { pickup_detail: 'Gate 3', notes: 'Handle softly' };
    const id = await anOrderOf(driver, more);
    await anOrderOf(driver, more);
    const phone = await aPhone();
    const { page, tap, stored } = phone;
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await page.locator(`a[href$="${id}"]`).tap();
    await page.route('**/RecordArrival', (route) => route.abort());
    await tap('I have arrived');
    await says(page, 'Not sent: 1');
    await page.locator('.others summary').tap();
    await tap('Report an incident');
    await page.getByLabel('What happened').fill('A dent.');
    await until(async () => (await stored()).includes('A dent.'), { what: 'the form' });
    expect(await stored()).toContain('Marienplatz');
    return { driver, id, ...phone };
  };
  const ofOrders = /Charit|Marienplatz|München|blood|Gate 3|softly|A dent/;

  const carriers = () => office().carriers;
  const revoke = async ({ id: driverId }: Driver) => {
    const { drivers } = office();
    const { devices } = await drivers.listDevices({ driverId });
    await drivers.revokeDevice({ id: devices[0]!.id });
  };
  const setActive = (active: boolean): Record<string, (of: Driver) => Promise<unknown>> => ({
    driver: ({ id }) => carriers().updateDriver({ id, active }),
    carrier: ({ carrierId: id }) => carriers().updateCarrier({ id, active }),
  });

  test.each(['driver', 'carrier'])(
    'with its %s leaves nothing of the orders, and the next one sends what waits',
    async (what) => {
      const { driver, id, page, tap, stored, judge, context } = await begun();
      await setActive(false)[what]!(driver);
      await says(page, 'No shift on this phone');
      await says(page, 'Not sent: 1. They stay on this phone, and are sent in your next shift');
      await says(page, 'Ask the dispatcher for a link.');
      await judge();
      expect(await stored()).not.toMatch(ofOrders);
      expect(JSON.parse(await stored())).toMatchObject({ orders: [], drafts: [], shift: [] });
      await page.unrouteAll();
      await setActive(true)[what]!(driver);
      await page.goto(await linkOf(driver));
      await tap('Begin the shift');
      await says(page, 'All is sent');
      const entries = await entriesUpTo(id, 'DRIVER_ARRIVED');
      expect(entries.at(-1).payload.device.driver_id).toBe(driver.id);
      await page.locator(`a[href$="${id}"]`).tap();
      await page.getByRole('button', { name: 'Start the pick-up' }).waitFor();
      await context.close();
    },
  );

  test('explains a record on an order that another driver has by then', async () => {
    const { driver, id, page, tap, stored, judge, context } = await begun();
    const { orders } = office();
    const circumstances = { orderId: id };
    const other = await aDriver('Robin Other', driver.carrierId);
    await carriers().updateDriver({ id: driver.id, active: false });
    await says(page, 'No shift on this phone');
    await orders.releaseDriver({ circumstances });
    await orders.assignDriver({ circumstances, driverId: other.id });
    await carriers().updateDriver({ id: driver.id, active: true });
    await page.unrouteAll();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await says(page, 'Look here: 1');
    await judge();
    await page.locator(`a[href$="${id}"]`).tap();
    await says(page, /somebody else meanwhile\. Nothing is lost: your record is entry \d+/);
    await judge();
    expect(JSON.parse(await stored()).orders).toHaveLength(1);
    await context.close();
  });

  test('with its phone leaves records that nobody accepts, which the next one says', async () => {
    const { driver, id, page, tap, stored, judge, context } = await begun();
    await revoke(driver);
    await says(page, 'No shift on this phone');
    expect(await stored()).not.toMatch(ofOrders);
    await page.unrouteAll();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await says(page, 'Look here: 1');
    await page.locator(`a[href$="${id}"]`).tap();
    await says(page, /The office had blocked this phone when you recorded it\./);
    await says(page, /The history has nothing of it\./);
    await judge();
    // the shift goes on
    await tap('I have arrived');
    await entriesUpTo(id, 'DRIVER_ARRIVED');
    await context.close();
  });

  test('keeps no order that was read meanwhile', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, tap, stored, context } = await aPhone({ serviceWorkers: 'block' });
    const [read, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/ShowOrder', async (route) => {
      const response = await route.fetch();
      read.resolve();
      await ended.promise;
      await route.fulfill({ response });
    });
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await read.promise;
    await carriers().updateDriver({ id: driver.id, active: false });
    await says(page, 'No shift on this phone');
    const answered = page.waitForResponse('**/ShowOrder');
    ended.resolve();
    await (await answered).finished();
    expect(JSON.parse(await stored())).toMatchObject({ orders: [], shift: [] });
    await context.close();
  });

  test('leaves the next one alone when its end is learned late', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page, tap, stored, context } = await aPhone({ serviceWorkers: 'block' });
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await page.locator(`a[href$="${id}"]`).waitFor();
    const [asked, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/driver/session', async (route) => {
      asked.resolve();
      await begun.promise;
      await route.fulfill({ status: 401, json: { code: 'unauthenticated' } });
    });
    await asked.promise;
    const next = await context.newPage();
    const before = JSON.parse(await stored()).shift[0].id;
    await next.goto(await linkOf(driver));
    await next.getByRole('button', { name: 'Begin the shift' }).tap();
    await until(async () => JSON.parse(await stored()).shift[0]?.id !== before, {
      what: 'the next shift',
    });
    const answered = page.waitForResponse('**/driver/session');
    begun.resolve();
    await (await answered).finished();
    await page.locator(`a[href$="${id}"]`).or(page.getByText('No shift')).first().waitFor();
    const { shift, orders } = JSON.parse(await stored());
    expect([shift, orders].map((of) => of.length)).toEqual([1, 1]);
    await context.close();
  });
});
