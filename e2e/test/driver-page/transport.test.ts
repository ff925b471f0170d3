/** A transport by the driver's page alone: by touch, in German, with camera, position and a dead phone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { proofsOf } from '../proven-proof.ts';
import { sharedStack } from '../test-stack.ts';
import { barcodeVideo } from './barcode-video.ts';
import { phoneBrowser } from './phone-browser.ts';
import { aPhoto } from './photo.ts';

const stack = sharedStack();

interface Entry {
  readonly internal_type: string;
  readonly gps_lat: number | null;
  readonly payload: { device?: object; artifact?: { sha256: string; media_type: string } } | null;
}

(hasChromium ? describe : describe.skip)("the driver's page", () => {
  const { office, aDriver, linkOf, anOrderOf, aProfile, aPhone, entriesUpTo, folder } =
    phoneBrowser(stack);

  /** A tap whose second one, as gloves make it, hits the next button as soon as it is there. */
  const tapTwice = async (page: Page, name: string) => {
    await page.evaluate(`new MutationObserver((_, self) => {
      const button = document.querySelector('button[type=submit]');
      if (!button || button.textContent === '${name}') return;
      self.disconnect();
      setTimeout(() => button.click(), 50);
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    await page.getByRole('button', { name, exact: true }).tap();
  };

  test('takes an order from the link to its end, in German, by touch', async () => {
    const video = join(folder, 'seals.y4m');
    const codes = [
      ['Code128', 'S-100417'],
      ['QRCode', 'S-200'],
    ] as const;
    writeFileSync(video, await barcodeVideo(codes));
    const phone = {
      locale: 'de-DE',
      permissions: ['geolocation', 'camera'],
      geolocation: { latitude: 52.5246, longitude: 13.3765123 },
      args: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-video-capture=${video}`,
      ],
    };
    const driver = await aDriver();
    const id = await anOrderOf(driver, {
      items: [{ goods_type: 'blood' }, { goods_type: 'tissue' }],
      ...{ pickup_detail: 'Tor 3, zweimal klingeln.', temperature_min: 2, temperature_max: 8 },
      required_evidence: { dropoff: ['scan', 'signature', 'photo'] },
    });
    let { page, context, tap, judge, openOrder, sign } = await aProfile(phone);
    await page.goto(await linkOf(driver));
    await judge();
    await tap('Schicht beginnen');
    await page.getByText('Ich bin angekommen').waitFor();
    await judge();
    await tap('Standort erlauben');
    await openOrder();
    await page.getByText('Tor 3, zweimal klingeln.').waitFor();
    await judge();
    await tapTwice(page, 'Ich bin angekommen');
    await tap('Abholung beginnen');
    await tap('Mit der Kamera scannen');
    const seals = page.getByRole('textbox', { name: /Siegel \d/ });
    const filled = () => Promise.all([seals.nth(0).inputValue(), seals.nth(1).inputValue()]);
    await until(async () => (await filled()).every((seal) => seal !== ''), { what: 'both seals' });
    expect((await filled()).sort()).toEqual(['S-100417', 'S-200']);
    await judge();
    await tap('Siegel eintragen');
    await page.evaluate('navigator.serviceWorker.ready');
    await entriesUpTo(id, 'SEAL_APPLIED'); // before, the page may still speak of the record before
    await page.getByText('Alles gesendet').waitFor();

    await context.setOffline(true);
    await page.getByLabel('Wer übergibt').fill('Schwester A');
    await sign();
    await tap('Übergabe eintragen');
    await tap('Transport beginnen');
    await page.getByText('Nicht gesendet: 2').waitFor();
    await page.goto('about:blank'); // with the context its state without a network ends, too
    await context.close(); // the battery is empty
    ({ page, context, tap, judge, openOrder, sign } = await aProfile(phone));
    await context.setOffline(true);
    await page.goto(await portalOf());
    await until(async () => (await page.innerText('body')).includes('Nicht gesendet: 2'), {
      what: 'the two records',
    }).catch(async (cause) => {
      throw new Error(`The page says: ${await page.innerText('body')}`, { cause });
    });
    await context.setOffline(false);
    await page.getByText('Alles gesendet').waitFor();
    await openOrder();
    await tap('Ich bin angekommen');
    await page.getByLabel('Wer annimmt').fill('Dr. B');
    await tap('Siegel scannen');
    await page.getByText('Alle Siegel stimmen.').waitFor();
    await page.locator('.take input').setInputFiles(await aPhoto(page));
    await page.getByAltText('Das Foto').waitFor();
    await sign();
    await judge();
    await tap('Übergabe eintragen');
    await tap('Abliefern');
    await judge();
    await tap('Ja, abgeliefert');
    await tap('Diesen Transport abschließen');

    const entries: Entry[] = await entriesUpTo(id, 'ORDER_CLOSED');
    const signed = entries.filter(({ payload }) => payload?.device);
    expect(signed.map((one) => one.internal_type)).toEqual([
      ...['DRIVER_ARRIVED', 'PICKUP_STARTED', 'SEAL_APPLIED', 'HANDOVER_RECORDED'],
      ...['TRANSPORT_STARTED', 'DRIVER_ARRIVED', 'HANDOVER_RECORDED'],
      ...['CUSTODY_TRANSFERRED', 'ORDER_CLOSED'],
    ]);
    expect(new Set(signed.map((one) => Number(one.gps_lat)))).toEqual(new Set([52.5246]));
    const files = signed.flatMap(({ payload }) => payload?.artifact ?? []);
    expect(files.map((file) => file.media_type)).toEqual(['image/png', 'image/jpeg']);
    const { sha256 } = files[1]!;
    const { content } = await office().orders.exportArtifact({ orderId: id, sha256 });
    const jpeg = Buffer.from(content).toString('latin1');
    expect(jpeg).not.toContain('Exif');
    expect(jpeg).not.toContain('Geheim');
    expect(content.length).toBeLessThan(330_000);
    // the phone lay on its side: the upright photo is higher than wide, and has the strip below
    const frame = content.findIndex((byte, at) => byte === 0xff && content[at + 1] === 0xc0);
    const [high, wide] = [5, 7].map((at) => Buffer.from(content).readUInt16BE(frame + at));
    expect([wide, high! > 1600]).toEqual([1200, true]);
    const { provenProof, verdictOn } = proofsOf(stack);
    expect(await verdictOn(await provenProof(id, entries.length))).toMatchObject({
      verdict: 'proven',
    });
    await judge();
    await context.close();
  });

  const portalOf = async () => new URL((await linkOf(await aDriver())).split('#')[0]!).href;

  test('its first opening takes at most 150 kB of script, and no module for barcodes', async () => {
    const { page, context, tap } = await aPhone({ serviceWorkers: 'block' });
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(await linkOf(await aDriver()));
    await tap('Begin the shift');
    await page.getByText('You have no transport now').waitFor();
    const scripts = urls.filter((url) => /\.(js|wasm)$/.test(url));
    // a browser gets Brotli by HTTPS
    const sizes = await Promise.all(
      scripts.map(async (url) => {
        const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
        await response.arrayBuffer();
        return Number(response.headers.get('content-length'));
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(1);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThanOrEqual(150_000);
    await context.close();
  });

  test('it can be installed', async () => {
    const { page, context } = await aPhone();
    await page.goto(await portalOf());
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    const { data } = await session.send('Page.getAppManifest');
    const icons: { src: string; sizes: string }[] = JSON.parse(data!).icons;
    expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512']);
    for (const { src, sizes } of [...icons, { src: '/assets/icon-180.png', sizes: '180x180' }]) {
      const response = await page.request.get(new URL(src, page.url()).href);
      const body = await response.body();
      expect(response.headers()['content-type']).toBe('image/png');
      expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes);
    }
    await context.close();
  });
});
