/** The camera of the driver's page: which codes it reads, by which detector, and its lamp. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { type Codes, fakeCamera } from './barcode-video.ts';
import { phoneBrowser } from './phone-browser.ts';

const stack = sharedStack();

/** A `BarcodeDetector` of the browser that sees one code. */
const detectorOf = (formats: readonly string[]) => `globalThis.BarcodeDetector = class {
  static async getSupportedFormats() { return ${JSON.stringify(formats)}; }
  async detect() { return [{ rawValue: 'S-NATIVE' }]; }
};`;
const formats = ['code_128', 'ean_13', 'ean_8', 'data_matrix', 'qr_code'];

(hasChromium ? describe : describe.skip)("the camera of the driver's page", () => {
  const { aDriver, linkOf, anOrderOf, aPhone } = phoneBrowser(stack);

  /** Opens the form of the seals of an order with an item for each code. */
  const atSeals = async (
    scripts: readonly string[],
    items: number,
    options: BrowserContextOptions = {},
  ) => {
    const driver = await aDriver();
    await anOrderOf(driver, { items: Array(items).fill({ goods_type: 'blood' }) });
    const phone = await aPhone(options);
    for (const content of scripts) await phone.context.addInitScript({ content });
    const modules: string[] = [];
    phone.page.on('request', (one) => {
      if (one.url().endsWith('.wasm')) modules.push(one.url());
    });
    await phone.page.goto(await linkOf(driver));
    await phone.tap('Begin the shift');
    await phone.openOrder();
    await phone.tap('I have arrived');
    await phone.tap('Start the pick-up');
    const seals = phone.page.getByRole('textbox', { name: /Seal \d/ });
    await seals.first().waitFor();
    const values = () =>
      seals.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
    return { ...phone, modules, values };
  };

  test('reads each kind of code that seals have', async () => {
    const codes: Codes = [
      ['Code128', 'S-100417'],
      ['EAN13', '4006381333931'],
      ['EAN8', '96385074'],
      ['DataMatrix', 'S-300/Ä'],
      ['QRCode', 'S-200'],
    ];
    const camera = await fakeCamera(codes);
    const { page, context, tap, values, modules, focusOn } = await atSeals([camera], codes.length, {
      serviceWorkers: 'block',
    });
    await tap('Scan with the camera');
    // it closes after the last one, and its button has the focus again
    await until(async () => !(await values()).includes(''), { what: 'a code in each field' });
    await page.getByRole('button', { name: 'Scan with the camera' }).waitFor();
    expect((await values()).toSorted()).toEqual(codes.map(([, text]) => text).toSorted());
    expect(modules).toHaveLength(1);
    await focusOn('Scan with the camera');
    await context.close();
  });

  test('uses the detector of a browser that has one for all kinds, and loads no module', async () => {
    const camera = await fakeCamera([['QRCode', 'S-MODULE']]);
    const own = await atSeals([camera, detectorOf(formats)], 1, { serviceWorkers: 'block' });
    await own.tap('Scan with the camera');
    await until(async () => (await own.values()).includes('S-NATIVE'), { what: 'the code' });
    expect(own.modules).toEqual([]);
    await own.context.close();
    const without = formats.filter((one) => one !== 'data_matrix');
    const other = await atSeals([camera, detectorOf(without)], 1, { serviceWorkers: 'block' });
    await other.tap('Scan with the camera');
    await until(async () => (await other.values()).includes('S-MODULE'), { what: 'the code' });
    expect(other.modules).toHaveLength(1);
    await other.context.close();
  });

  test('has a button for the lamp of a camera that has one', async () => {
    const codes: Codes = [['QRCode', ' ']];
    const lit = await atSeals([await fakeCamera(codes, true)], 1);
    await lit.tap('Scan with the camera');
    const light = lit.page.getByRole('button', { name: 'Light' });
    await light.and(lit.page.locator('[aria-pressed=false]')).tap();
    await light.and(lit.page.locator('[aria-pressed=true]')).waitFor();
    await lit.judge();
    await light.tap();
    await light.and(lit.page.locator('[aria-pressed=false]')).waitFor();
    expect(await lit.page.evaluate('lamp')).toEqual([true, false]);
    await lit.context.close();
    const dark = await atSeals([await fakeCamera(codes)], 1);
    await dark.tap('Scan with the camera');
    await until(() => dark.page.evaluate("document.querySelector('video')?.currentTime > 0"), {
      what: 'the picture of the camera',
    });
    expect(await dark.page.getByRole('button', { name: 'Light' }).count()).toBe(0);
    await dark.tap('Close the camera');
    await dark.focusOn('Scan with the camera');
    await dark.context.close();
  });
});
