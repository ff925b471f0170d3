/** What is half done on the driver's page outlives a reload and a closed browser, within bounds. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser, says } from './phone-browser.ts';

const stack = sharedStack();
const fileMax = 5_000_000;

/** A logger's file of so many bytes, whose column of notes fills it. */
const readingsOf = (size: number): Buffer => {
  const count = 1000;
  const start = Date.now() - count;
  const head = 'time,value,note\n';
  const row = (n: number) => `${new Date(start + n).toISOString()},4.5,`;
  const note = Math.floor((size - head.length) / count) - row(0).length - 1;
  const rows = Array.from({ length: count }, (_, n) => `${row(n)}${'x'.repeat(note)}\n`);
  const text = head + rows.join('');
  return Buffer.from(text.replace(/\n$/, `${'x'.repeat(size - text.length)}\n`));
};

(hasChromium ? describe : describe.skip)("a form of the driver's page", () => {
  const { office, aDriver, linkOf, anOrderOf, aPhone, aProfile, entriesUpTo } = phoneBrowser(stack);
  type Phone = Awaited<ReturnType<typeof aPhone>>;

  /** Records up to the handover at the pick-up. */
  const atHandover = async ({ page, tap }: Phone) => {
    await tap('I have arrived');
    await tap('Start the pick-up');
    await page.getByLabel('Seal 1').fill('S-1');
    await tap('Record the seals');
    await page.getByLabel('Who hands them over').waitFor();
  };
  const aPhoto = async (page: Page) => {
    const bytes = await page.evaluate<number[]>(`(async () => {
      const canvas = new OffscreenCanvas(40, 30);
      canvas.getContext('2d').fillRect(5, 5, 10, 10);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
      return [...new Uint8Array(await blob.arrayBuffer())];
    })()`);
    return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) };
  };
  const isDrawn = (page: Page) =>
    page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, at) => at % 4 === 0 && value < 50 && data[at + 3] > 200);
    })()`);

  test('has photo, signature, scanned seals and texts again after the browser was closed', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver, { required_evidence: { pickup: ['photo', 'scan'] } });
    let phone = await aProfile({ args: [] });
    await phone.page.goto(await linkOf(driver));
    await phone.tap('Begin the shift');
    await phone.openOrder();
    await atHandover(phone);
    await phone.page.getByLabel('Who hands them over').fill('Nurse A');
    await phone.page.getByLabel('Or type a seal').fill('S-1');
    await phone.tap('Add');
    const photo = await aPhoto(phone.page);
    await phone.page.evaluate(`globalThis.read = createImageBitmap;
      createImageBitmap = (...given) => new Promise((done) => { globalThis.goOn = () => done(read(...given)); })`);
    await phone.page.locator('.take input').setInputFiles(photo);
    await says(phone.page, 'Wait …');
    await phone.tap('Record the handover'); // nothing is recorded before the photo is read
    await phone.page.evaluate('createImageBitmap = read; goOn()');
    await phone.page.getByAltText('The photo').waitFor();
    expect(await isDrawn(phone.page)).toBe(false);
    await phone.sign();
    await until(async () => JSON.parse(await phone.stored()).drafts.length > 3, { what: 'drafts' });
    const { href } = new URL(phone.page.url());
    await phone.page.goto('about:blank');
    await phone.context.close();
    phone = await aProfile({ args: [] });
    await phone.page.goto(href);
    await phone.page.getByAltText('The photo').waitFor();
    await says(phone.page, 'All seals are right.');
    await until(() => isDrawn(phone.page), { what: 'the signature' });
    expect(await phone.page.getByLabel('Who hands them over').inputValue()).toBe('Nurse A');
    await phone.judge();
    await phone.tap('Record the handover');
    await phone.page.getByRole('button', { name: 'Start the transport' }).waitFor();
    const entries = await entriesUpTo(id, 'HANDOVER_RECORDED');
    const { payload } = entries.at(-1);
    expect(payload).toMatchObject({ scanned_seal_ids: ['S-1'] });
    expect(payload.methods.toSorted()).toEqual(['photo', 'scan', 'signature']);
    expect(payload.artifact.media_type).toBe('image/jpeg');
    expect(JSON.parse(await phone.stored()).drafts).toEqual([]);
    await phone.context.close();
  });

  test('goes when its order leaves the phone, and with the shift', async () => {
    const driver = await aDriver();
    const [left, stays] = [await anOrderOf(driver), await anOrderOf(driver)];
    const phone = await aPhone();
    const { page, tap, stored, context } = phone;
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    for (const id of [left, stays]) {
      await page.locator(`a[href$="${id}"]`).tap();
      await page.locator('.others summary').tap();
      await tap('Report an incident');
      await page.getByLabel('What happened').fill(`A dent in ${id}.`);
      await until(async () => (await stored()).includes(`A dent in ${id}.`), { what: 'the text' });
      await page.getByRole('link', { name: 'All transports' }).tap();
    }
    const circumstances = { orderId: left };
    await office().orders.cancelOrder({ circumstances, reason: 'Not needed.' });
    await until(async () => !(await stored()).includes(`A dent in ${left}.`), { what: 'its end' });
    expect(await stored()).toContain(`A dent in ${stays}.`);
    await page.getByRole('link', { name: 'Shift' }).tap();
    await tap('End the shift');
    await tap('Yes, end the shift');
    await says(page, 'No shift on this phone');
    expect(await stored()).not.toContain('A dent');
    await context.close();
  });

  test('keeps at most ten files, the newest', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, tap, openOrder, stored, context } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    await page.evaluate(`new Promise((done) => {
      indexedDB.open('driver').onsuccess = ({ target: { result } }) => {
        const writing = result.transaction('drafts', 'readwrite');
        for (let at = 1; at <= 12; at++)
          writing.objectStore('drafts').put({ at, key: ['d', 'o', 's', 'f' + at], values: [new File(['x'], 'n' + at)] });
        writing.oncomplete = () => { result.close(); done(); };
      };
    })`);
    await page.locator('.others summary').tap();
    await tap('Record a temperature');
    const file = { name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from('time,value\n') };
    await page.getByLabel('Or the file of the logger').setInputFiles(file);
    await until(async () => (await stored()).includes('mine.csv'), { what: 'the file' });
    const { drafts }: { drafts: { values: string[] }[] } = JSON.parse(await stored());
    const files = drafts.map(({ values }) => values[0]!.split(' ')[0]);
    expect(files.toSorted()).toEqual(
      ['mine.csv', ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `n${n}`)].toSorted(),
    );
    await context.close();
  });

  test('refuses a file of more than 5 MB at once, and records one of exactly 5 MB', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { orders } = office();
    const circumstances = { orderId: id };
    await orders.startPickup({ circumstances });
    await orders.sealOrder({ circumstances, sealIds: ['S-1'] });
    await orders.startTransport({ circumstances });
    const { page, tap, openOrder, stored, context } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    await page.locator('.others summary').tap();
    await tap('Record a temperature');
    await page.getByLabel('Thermometer or logger').fill('LOG-7');
    const file = page.getByLabel('Or the file of the logger');
    const chosen = (size: number) =>
      file.setInputFiles({ name: 'log.csv', mimeType: 'text/csv', buffer: readingsOf(size) });
    await chosen(fileMax + 1);
    await says(page, 'Choose a file of at most 5 MB.');
    expect(await file.inputValue()).toBe('');
    expect(await stored()).not.toContain('log.csv');
    await chosen(fileMax);
    await until(async () => (await stored()).includes(`log.csv ${fileMax}`), { what: 'the file' });
    expect(await page.getByText('Choose a file of at most 5 MB.').count()).toBe(0);
    await page.reload();
    await page.locator('.others summary').tap();
    await tap('Record a temperature');
    await until(async () => (await file.inputValue()).endsWith('log.csv'), { what: 'the file' });
    await tap('Record the temperature');
    const entries = await entriesUpTo(id, 'CONDITION_RECORDED');
    const { payload } = entries.find(
      (one: { internal_type: string }) => one.internal_type === 'CONDITION_RECORDED',
    );
    expect(payload).toMatchObject({ device_id: 'LOG-7', readings: { size: fileMax } });
    await context.close();
  });
});
