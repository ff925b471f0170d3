/** The driver's page in Chromium with a phone's viewport, and orders of its driver. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../chromium.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { openWatched } from '../console/watched-page.ts';

/** Starts Chromium for the tests of this file. */
export const phoneBrowser = (stack: LocalStack) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  const run = async (...words: readonly string[]) => {
    const { code, json, stderr } = await operator(stack, ...words);
    expect([words, code, stderr]).toEqual([words, 0, '']);
    return json as Record<string, string>;
  };
  return {
    run,
    /** A driver of a carrier of their own. */
    aDriver: async () => {
      const carrierName = `Couriers ${randomUUID().slice(0, 8)}`;
      const carrier = await run('carrier', 'add', '--name', carrierName);
      const driver = await run('driver', 'add', '--carrier', carrierName, '--name', 'Kim Muster');
      return { id: driver.id!, carrierId: carrier.id! };
    },
    /** An order that this driver has. */
    anOrderOf: async (driver: { id: string; carrierId: string }, more: object = {}) => {
      const { body } = await partner(stack).post('/orders', { ...orderBody(), ...more });
      await run('order', 'assign', body.id, '--carrier', driver.carrierId);
      await run('order', 'accept', body.id);
      await run('order', 'driver', body.id, '--driver', driver.id);
      return body.id as string;
    },
    /** The phone of a driver: a context of its own. */
    aPhone: (options: BrowserContextOptions = {}) =>
      openWatched(browser, {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        ...options,
      }),
  };
};
