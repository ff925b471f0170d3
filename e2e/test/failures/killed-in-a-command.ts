/** A process is killed while a person's command is under way, and the person presses again. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Browser } from 'playwright-core';
import { asSuperuser } from '../../as-superuser.ts';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { signInToConsole } from '../../console-sign-in.ts';
import { killOne } from '../../kill.ts';
import { type LocalStack, settled } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';

export const killedInACommand = (stack: LocalStack): void => {
  (hasChromium ? describe : describe.skip)('a dispatcher', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
    });

    test.each(['console', 'operators', 'orders'])(
      'presses again after %s was killed, and the incident is recorded once',
      async (victim) => {
        const page = await (await browser.newContext()).newPage();
        const { orders } = operatorClients(stack);
        const orderId = (await partner(stack).post('/orders', orderBody())).body.id as string;
        await signInToConsole(page, stack, ['dispatcher']);
        await page.goto(`${stack.file().consoleUrl}/orders/${orderId}`);
        await page.getByRole('button', { name: 'Report incident' }).click();
        const window = page.getByRole('dialog');
        await window.getByLabel('What happened').fill('Flat tyre');
        const press = () => window.getByRole('button', { name: 'Report incident' }).click();
        await asSuperuser(stack, 'orders', async (lock) => {
          await lock.query('begin');
          await lock.query('select 1 from orders where id = $1 for update', [orderId]);
          await press();
          await until(isWaiting, { what: 'the command to wait for the order' });
          killOne(stack, victim);
          await window.getByText('Press again: it is done once.').waitFor();
          await lock.query('commit');
        });
        await settled(stack);
        await press();
        await window.waitFor({ state: 'hidden' });
        const { order } = await orders.showOrder({ orderId });
        expect(order?.sequence).toBe(2);
        await page.context().close();
      },
    );
  });

  /** Whether a command waits for the row of an order. A transaction of its own sees what is new. */
  const isWaiting = () =>
    asSuperuser(stack, 'orders', async (client) => {
      const { rowCount } = await client.query(
        `select 1 from pg_stat_activity where datname = 'orders' and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
};
