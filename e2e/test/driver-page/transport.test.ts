/** A transport by the driver's page alone. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser } from './phone-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)("the driver's page", () => {
  const { run, aDriver, anOrderOf, aPhone } = phoneBrowser(stack);

  test('takes an order from the link to its end, with and without a network', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { url } = await run('driver', 'link', driver.id);
    const { page, context, judge } = await aPhone();
    await page.goto(url!);
    await page.getByRole('button', { name: 'Begin the shift' }).click();
    await page.locator('a[href*="orders/"]').click();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('arrive');
    await press('startPickup');
    await page.getByLabel('Seal 1').fill('S-1');
    await context.setOffline(true);
    await press('seal');
    await page.getByLabel('Person').fill('Nurse A');
    await press('handover');
    await press('startTransport');
    await page.reload();
    await page.getByRole('button', { name: 'arrive' }).waitFor();
    await context.setOffline(false);
    await press('arrive');
    await page.getByLabel('Person').fill('Nurse B');
    await press('handover');
    await press('deliver');
    await press('close');
    const { get } = partner(stack);
    const entries = await until(
      async () => {
        const { body } = await get(`/orders/${id}/events`);
        return body.at(-1)?.internal_type === 'ORDER_CLOSED' && body;
      },
      { what: 'the end of the order' },
    );
    const signed = entries.filter(
      ({ payload }: { payload?: { device?: object } }) => payload?.device,
    );
    expect(signed).toHaveLength(9);
    await judge();
    await context.close();
  });
});
