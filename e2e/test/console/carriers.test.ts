/** Carriers and drivers in the console, by keys: made, given orders, and a driver's day. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('carriers and drivers', () => {
  const { open, goTo, judge } = consoleBrowser(stack);
  const create = async (external_id: string, minutes: number, more = {}): Promise<string> => {
    const pickup_window_start = new Date(Date.now() + minutes * 60_000).toISOString();
    const body = orderBody({ external_id, pickup_window_start, ...more });
    return (await partner(stack).post('/orders', body)).body.id;
  };
  const shown = async (orderId: string) =>
    (await operatorClients(stack).orders.showOrder({ orderId })).order!;

  test('a carrier and a driver are made, get two selected orders by keys, and the day lists them', async () => {
    const { page, close } = await open(['dispatcher'], { viewport: { width: 1440, height: 900 } });
    const prefix = crypto.randomUUID().slice(0, 8);
    const [carrier, driver] = [`Couriers ${prefix}`, `Kim ${prefix}`];
    const window = page.getByRole('dialog');
    await goTo('/');
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Add a carrier' }).click();
    await window.getByLabel('Name').fill(carrier);
    await judge();
    await page.keyboard.press('Enter');
    const section = page.getByRole('region', { name: carrier });
    await section.getByRole('button', { name: 'Add a driver' }).click();
    await window.getByLabel('Name').fill(driver);
    await window.getByLabel('Telephone').fill('+49 171 4711');
    await page.keyboard.press('Enter');
    const row = section.getByRole('row', { name: driver });
    await row.getByText('free').waitFor();
    await judge();

    const unrecorded = await create(`U-${prefix}`, 600);
    const [second, first] = [await create(`${prefix}-2`, 40), await create(`${prefix}-1`, 20)];
    await goTo(`/?q=${prefix}`);
    for (const id of [first, second]) await page.locator(`[data-order="${id}"]`).waitFor();
    for (const key of ['x', 'j', 'x', 'a']) await page.keyboard.press(key);
    const typed = window.getByLabel('Transport organization');
    await typed.fill(carrier.toUpperCase());
    await window.getByText(/^A record/).waitFor();
    await window.getByLabel('Driver').fill(driver);
    await window.getByText('A record, +49 171 4711').waitFor();
    await judge();
    await page.keyboard.press('Enter');
    for (const id of [first, second])
      await until(async () => (await shown(id)).status === 'DRIVER_ASSIGNED', { what: 'a driver' });
    const orders = [await shown(first), await shown(second)];
    for (const order of orders)
      expect(order).toMatchObject({ transportOrganization: carrier, driver });
    const [{ carrierId, driverId }] = orders as [(typeof orders)[0]];
    expect(carrierId && driverId).toBeTruthy();
    expect(orders[1]).toMatchObject({ carrierId, driverId });

    await goTo(`/?q=${prefix}&driver=${driverId}`);
    await page.locator(`[data-order="${first}"]`).waitFor();
    expect(await page.getByLabel('Driver', { exact: true }).inputValue()).toBe(driverId);
    await operatorClients(stack).orders.assignOrder({
      ...{ circumstances: { orderId: unrecorded }, transportOrganization: `Name ${prefix}` },
    });
    await goTo('/carriers');
    await row.getByText('2 orders, pick-up in').waitFor();
    await page.getByText(`Name ${prefix}`).waitFor();
    await row.getByRole('link', { name: driver }).click();
    await page.getByRole('heading', { name: driver }).waitFor();
    const links = page.locator('[data-order] .order');
    await until(async () => (await links.count()) === 2, { what: 'both orders' });
    expect(await links.allInnerTexts()).toEqual([`${prefix}-1`, `${prefix}-2`]);
    await judge();
    // live, and in its place: an order that ends before the others
    const place = {
      label: `Ward ${prefix}`,
      street: `Ring ${prefix}`,
      zip: '10117',
      city: 'Berlin',
    };
    const contact = { country: 'DE', contact_name: 'N. Duty', contact_phone: '+49 30 7654321' };
    const location_id = (await partner(stack).post('/locations', { ...place, ...contact })).body.id;
    const third = await create(`${prefix}-0`, 10, { pickup: { location_id } });
    const circumstances = { orderId: third };
    const { orders: commands } = operatorClients(stack);
    await commands.assignOrder({ circumstances, carrierId: carrierId! });
    await commands.acceptOrder({ circumstances });
    await commands.assignDriver({ circumstances, driverId: driverId! });
    await until(async () => (await links.count()) === 3, { what: 'the third order' });
    const stop = page.locator(`[data-order="${third}"]`);
    await stop.getByText(`Ward ${prefix}, Ring ${prefix}, Berlin`).waitFor();
    await stop.getByRole('link', { name: '+49 30 7654321' }).waitFor();
    await stop.getByRole('button', { name: 'Start pick-up' }).click();
    await until(async () => (await shown(third)).status === 'PICKUP_STARTED', { what: 'the step' });
    expect(await links.allInnerTexts()).toEqual([0, 1, 2].map((n) => `${prefix}-${n}`));
    await links.first().click();
    await page.locator('dl').getByRole('link', { name: driver }).waitFor();
    await page.locator('dl').getByRole('link', { name: '+49 171 4711' }).waitFor();

    for (const id of [first, second, third, unrecorded])
      await partner(stack).post(`/orders/${id}/cancel`, { reason: 'over' });
    await close();
  });

  test('an inactive carrier is offered no more, and its name is a name alone', async () => {
    const { page, close } = await open(['dispatcher']);
    const name = `Gone ${crypto.randomUUID().slice(0, 8)}`;
    const { carriers, orders } = operatorClients(stack);
    const { carrier } = await carriers.createCarrier({ name });
    await carriers.createDriver({ carrierId: carrier!.id, name: 'Robin' });
    await goTo('/carriers');
    const section = page.getByRole('region', { name });
    await section.getByRole('button', { name: 'Change' }).first().click();
    const window = page.getByRole('dialog');
    await window.getByText('and its drivers (1 active)').waitFor();
    await window.getByLabel('State').selectOption('inactive');
    await window.getByRole('button', { name: 'Change' }).click();
    await section.getByText('inactive', { exact: true }).waitFor();
    const id = await create(name, 20);
    await goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await window.getByLabel('Transport organization').fill(name);
    await window.getByText('A name without a record.').waitFor();
    await window.getByRole('button', { name: 'Assign', exact: true }).click();
    await until(async () => (await shown(id)).status === 'ASSIGNED', { what: 'the assignment' });
    const { transportOrganization, carrierId } = await shown(id);
    expect([transportOrganization, carrierId]).toEqual([name, undefined]);
    await orders.declineAssignment({ circumstances: { orderId: id } });
    await carriers.updateCarrier({ id: carrier!.id, active: true });
    // typed and sent before the records are read
    const released = Promise.withResolvers<void>();
    await page.route('**/ListCarriers', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await window.getByLabel('Transport organization').fill(name.toUpperCase());
    await window.getByRole('button', { name: 'Assign', exact: true }).click();
    await window.getByRole('button', { name: 'Wait' }).waitFor();
    released.resolve();
    await until(async () => (await shown(id)).carrierId === carrier!.id, { what: 'the record' });
    await partner(stack).post(`/orders/${id}/cancel`, { reason: 'over' });
    await close();
  });

  test('support sees carriers and changes none', async () => {
    const { page, close } = await open(['support']);
    const name = `Seen ${crypto.randomUUID().slice(0, 8)}`;
    await operatorClients(stack).carriers.createCarrier({ name });
    await goTo('/carriers');
    await page.getByRole('region', { name }).waitFor();
    expect(await page.getByRole('button', { name: /^(Add|Change)/ }).count()).toBe(0);
    await close();
  });
});
