/**
 * Drivers whose phones lose the network, reload, close, tap twice and have two pages, while the office
 * moves the same orders: nothing is lost, nothing comes twice, and each conflict is explained.
 * PHONES is their number, SEED repeats a run, LANES how many drive at the same time.
 */
import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { partner } from '../../partner.ts';
import { below, seeded, weighted } from '../../random.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser } from './phone-browser.ts';

const phones = Number(process.env.PHONES ?? 3);
const lanes = Number(process.env.LANES ?? 3);
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const stepsMax = 60;
const nothing = () => {};

interface StoredRecord {
  readonly number: number;
  readonly at: string;
  readonly state: 'waiting' | 'sent' | 'kept' | 'rejected';
  readonly step: { readonly name: string };
  readonly failure?: { readonly entry: number };
}

interface Entry {
  readonly internal_type: string;
  readonly payload: {
    readonly device?: { readonly driver_id: string; readonly at: string };
  } | null;
}

/** The phone's records, as the page keeps them. */
const recordsOn = (page: Page): Promise<StoredRecord[]> =>
  page.evaluate(
    `new Promise((resolve) => { const open = indexedDB.open('driver'); open.onsuccess = () => {
      const all = open.result.transaction('records').objectStore('records').getAll();
      all.onsuccess = () => { open.result.close(); resolve(all.result.map(
        ({ number, at, state, step, failure }) => ({ number, at, state, step, failure }))); };
    } })`,
  );

const stack = sharedStack();

(hasChromium ? describe : describe.skip)(`a night of ${phones} phones, seed ${seed}`, () => {
  const { office, aDriver, linkOf, anOrderOf, aPhone } = phoneBrowser(stack);
  const tally: Record<string, number> = {};
  const count = (name: string, by = 1) => {
    tally[name] = (tally[name] ?? 0) + by;
  };
  afterAll(() => {
    if (process.env.PHONES) process.stderr.write(`${JSON.stringify(tally)}\n`);
  });

  /** Does what the page asks for. @returns false when the order asks for nothing more. */
  const step = async (page: Page, taps: number): Promise<boolean> => {
    await page.locator('main:not([aria-busy]) h1').waitFor();
    const button = page.locator('.reach button[type=submit]');
    if ((await button.count()) === 0) return false;
    for (const field of await page.getByLabel(/^Seal \d/).all()) await field.fill('S-1');
    const identity = page.getByLabel('I have checked the identity');
    if (await identity.count()) {
      await page.getByLabel(/^Who (hands them over|receives them)/).fill('Nurse A');
      await identity.check();
    }
    // what comes with a form that was replaced meanwhile fails, as a finger that misses does
    const tap = (name: RegExp) =>
      page
        .locator('.reach button[type=submit]:not([aria-disabled=true])')
        .filter({ hasText: name })
        .evaluate(
          (one: { click(): void }, times) => {
            for (let n = 0; n < times; n++) one.click();
          },
          taps,
          { timeout: 5000 },
        );
    const text = await button.innerText();
    await tap(/./);
    if (text === 'Deliver') await tap(/^Yes/);
    return true;
  };

  const drive = async (random: () => number): Promise<void> => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page: first, context, tap } = await aPhone();
    let page = first;
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await page.evaluate('navigator.serviceWorker.ready');
    await page.locator(`a[href$="${id}"]`).tap();
    let isOffline = false;
    const setOffline = async (to: boolean) => {
      isOffline = to;
      await context.setOffline(to);
    };
    const { orders } = office();
    const circumstances = { orderId: id };
    const inOffice = [
      () => orders.reportIncident({ circumstances, note: 'by the office' }),
      () => orders.startPickup({ circumstances }),
      () => orders.sealOrder({ circumstances, sealIds: ['S-7'] }),
      () => orders.startTransport({ circumstances }),
      () => orders.cancelOrder({ circumstances, reason: 'r' }),
      () => orders.releaseDriver({ circumstances }),
      () => orders.deliverOrder({ circumstances }),
    ];
    /** A finger that misses goes on. */
    const once = (one: Page, taps = 1) =>
      step(one, taps).catch(() => {
        count('missed');
      });
    /** What happens next; false when the order asks for nothing more. */
    const mischief: Readonly<Record<string, readonly [number, () => Promise<unknown>]>> = {
      plain: [40, () => once(page)],
      'double tap': [12, () => once(page, 2)],
      offline: [10, () => setOffline(true)],
      reload: [
        10,
        async () => {
          await page.reload();
        },
      ],
      closed: [
        8,
        async () => {
          const at = page.url();
          void once(page);
          page = await context.newPage();
          for (const other of context.pages()) if (other !== page) await other.close();
          await page.goto(at);
        },
      ],
      'two pages': [
        8,
        async () => {
          const second = await context.newPage();
          await second.goto(page.url());
          const [goesOn] = await Promise.all([once(page), once(second)]);
          await second.close();
          return goesOn;
        },
      ],
      office: [
        16,
        () =>
          inOffice[below(random, inOffice.length)]!().then(nothing, () => count('office refused')),
      ],
    };
    for (let n = 0, goesOn = true; goesOn && n < stepsMax; n++) {
      if (isOffline && random() < 0.2) await setOffline(false);
      const weights = Object.entries(mischief).map(([name, [weight]]) => [weight, name] as const);
      const name = weighted(random, weights);
      count(name);
      goesOn = (await mischief[name]![1]()) !== false;
    }
    await setOffline(false);
    await page.getByText('All is sent').waitFor({ timeout: 60_000 });
    await judge(page, id, driver.id);
    await context.close();
  };

  const judge = async (page: Page, id: string, driverId: string): Promise<void> => {
    const records = await recordsOn(page);
    const { entries, ofPhone } = await until(
      async () => {
        const entries: Entry[] = (await partner(stack).get(`/orders/${id}/events`)).body;
        const ofPhone = entries
          .map(({ payload, ...entry }, n) => ({ ...entry, n: n + 1, device: payload?.device }))
          .filter(({ device }) => device?.driver_id === driverId);
        return ofPhone.length >= records.length && { entries, ofPhone };
      },
      { what: 'an entry for each record' },
    );
    // each record is one entry, in the order of the phone
    expect(ofPhone.map(({ device }) => device!.at)).toEqual(records.map(({ at }) => at));
    for (const [index, { state, failure }] of records.entries()) {
      expect(['sent', 'kept']).toContain(state);
      const { n, internal_type } = ofPhone[index]!;
      expect(internal_type === 'DEVICE_RECORD_KEPT').toBe(state === 'kept');
      if (state === 'kept') expect(failure!.entry).toBe(n);
    }
    const kept = records.filter(({ state }) => state === 'kept');
    await page.reload();
    if (records.length > 0)
      await page
        .locator('.records li')
        .nth(records.length - 1)
        .waitFor();
    for (const { failure } of kept)
      await page
        .locator('.explained')
        .filter({ hasText: `your record is entry ${failure!.entry} of the history` })
        .waitFor();
    count('records', records.length);
    count('kept', kept.length);
    count(entries.at(-1)!.internal_type);
  };

  test(
    'each record of a phone is one entry, in its order, and the page explains each conflict',
    async () => {
      const left = Array.from({ length: phones }, (_, n) => seed + n);
      const failed: Error[] = [];
      const lane = async (): Promise<void> => {
        for (let one = left.shift(); one !== undefined; one = left.shift()) {
          const name = `SEED=${one} PHONES=1`;
          await drive(seeded(one)).catch((cause) => failed.push(new Error(name, { cause })));
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      expect(failed.map(({ message, cause }) => `${message}: ${cause}`)).toEqual([]);
    },
    60_000 + phones * 60_000,
  );
});
