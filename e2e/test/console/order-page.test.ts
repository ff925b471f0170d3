/** The page of an order: its evidence, who recorded it, and its proof. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { pngPicture, readingsCsv, until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { operator, operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { proofsOf } from '../proven-proof.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();
const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

(hasChromium ? describe : describe.skip)('the page of an order', () => {
  const { open, goTo, judge } = consoleBrowser(stack);

  /** An order of one item that is sealed with S-1, with limits of temperature. */
  const sealed = async (): Promise<string> => {
    const more = { temperature_min: 2, temperature_max: 8, items: [{ goods_type: 'blood' }] };
    const orderId = (await partner(stack).post('/orders', orderBody(more))).body.id;
    const { orders } = operatorClients(stack);
    const circumstances = { orderId };
    await orders.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driver: 'D. Driver' });
    await orders.startPickup({ circumstances });
    await orders.sealOrder({ circumstances, sealIds: ['S-1'] });
    return orderId;
  };
  const entriesOf = async (id: string) => (await partner(stack).get(`/orders/${id}/events`)).body;

  test('a map shows a way between towns, and none within a town', async () => {
    const { page, close } = await open(['support']);
    const create = async (dropoff: string) =>
      (await partner(stack).post('/orders', orderBody({ dropoff: { address_text: dropoff } }))).body
        .id;
    const map = page.getByRole('img', { name: /^Map/ });
    await goTo(`/orders/${await create('Marienplatz 1, 80331 München')}`);
    await map.waitFor();
    await goTo(`/orders/${await create('Friedrichstraße 1, 10117 Berlin')}`);
    await page.getByText('Recomputed in this browser').waitFor();
    expect(await map.count()).toBe(0);
    await close();
  });

  test('a dispatcher records a handover with its file, and the page shows who did it', async () => {
    const id = await sealed();
    const { page, close } = await open(['dispatcher']);
    await goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Record a handover' }).click();
    const window = page.getByRole('dialog');
    await window.getByLabel('Organization').first().fill('Klinikum Nord');
    await window.getByLabel('photo').check();
    await judge();
    const record = window.getByRole('button', { name: 'Record' });
    await record.click();
    await window.getByRole('alert').waitFor(); // a photo needs its file
    await window.getByLabel('scan', { exact: true }).check();
    await window.getByLabel('Scanned seals').fill('S-1\nS-9\n');
    const picture = { name: 'p.png', mimeType: 'image/png', buffer: Buffer.from(pngPicture(5)) };
    await window.getByLabel('File').setInputFiles(picture);
    await record.click();
    await window.waitFor({ state: 'hidden' });
    await page.getByText('At the pickup unexpected: S-9').waitFor();
    const entry = page.locator('.chain li', { hasText: 'HANDOVER_RECORDED' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      entry.getByRole('button', { name: 'Download the file' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^handover-[0-9a-f]{12}\.png$/);
    expect(await readFile(await file.path())).toEqual(picture.buffer);
    const text = await entry.innerText();
    for (const part of [
      'by A Dispatcher',
      'Klinikum Nord (shipper)',
      'City Couriers (courier, D. Driver)',
      'Confirmed by scan, photo, with a file (image/png); seals scanned: S-1, S-9',
    ])
      expect(text).toContain(part);
    // with the clock of its place
    expect(text).toMatch(/\d\d:\d\d (CET|CEST|GMT\S*) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(await page.locator('.chain li').first().innerText()).not.toContain('by A Dispatcher');
    const partnersView = JSON.stringify(await entriesOf(id));
    expect(partnersView).not.toContain('A Dispatcher');
    await judge();
    await close();
  });

  test('a dispatcher reports the expected time by the clock of the stop, beside the board, too', async () => {
    const id = await sealed();
    const { page, close } = await open(['dispatcher'], { timezoneId: 'Asia/Kolkata' });
    const window = page.getByRole('dialog');
    const button = page.getByRole('button', { name: 'Expected time' });
    const report = async (clock: string) => {
      await button.click();
      await window.getByLabel('At the drop-off').fill(clock);
      await window.getByText(`By the clock of München`).waitFor();
      await window.getByRole('button', { name: 'Report' }).click();
    };
    const clockOf = (at: Date) =>
      `${at.toLocaleString('sv', { timeZone: 'Europe/Berlin' }).replace(' ', 'T').slice(0, 16)}`;
    const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000);
    await goTo(`/orders/${id}`);
    await report('2020-01-01T10:00');
    await window.getByText('at: expected a time from 5 minutes ago to 7 days ahead').waitFor();
    await judge();
    await window.getByRole('button', { name: 'Back' }).click();
    await report(clockOf(at));
    await window.waitFor({ state: 'hidden' });
    await page.getByText('(by the driver)').waitFor();
    const shown = async () => (await partner(stack).get(`/orders/${id}`)).body;
    expect(await shown()).toMatchObject({
      ...{ pickup_eta: null, dropoff_eta: at.toISOString(), eta_source: 'driver' },
    });
    await goTo(`/?order=${id}`);
    const later = new Date(at.getTime() + 120_000);
    await report(clockOf(later));
    await window.waitFor({ state: 'hidden' });
    expect(await shown()).toMatchObject({ dropoff_eta: later.toISOString() });
    await close();
    const reader = await open(['support']);
    await goTo(`/orders/${id}`);
    await reader.page.getByText('(by the driver)').waitFor();
    expect(await reader.page.getByRole('button', { name: 'Expected time' }).count()).toBe(0);
    await reader.close();
  });

  test('a window for the expected time keeps its stop while the order goes on', async () => {
    const orderId = (await partner(stack).post('/orders', orderBody())).body.id;
    const { orders } = operatorClients(stack);
    const circumstances = { orderId };
    await orders.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driver: 'D. Driver' });
    const { page, close } = await open(['dispatcher']);
    await goTo(`/orders/${orderId}`);
    await page.getByRole('button', { name: 'Expected time' }).click();
    const window = page.getByRole('dialog');
    await window.getByLabel('At the pick-up').waitFor();
    await orders.startPickup({ circumstances });
    await page.locator('.bar .badge', { hasText: 'pickup started' }).waitFor();
    await window.getByLabel('At the pick-up').waitFor();
    await window.getByLabel('At the pick-up').fill('2030-01-01T09:00');
    await window.getByRole('button', { name: 'Report' }).click();
    await window.getByRole('alert').waitFor();
    await close();
  });

  test('the board is read before the window of a handover or an expected time closes', async () => {
    const id = await sealed();
    const { page, close } = await open(['dispatcher']);
    await goTo(`/orders/${id}`);
    const window = page.getByRole('dialog');
    let boards = 0;
    page.on('requestfinished', (request) => {
      boards += Number(request.url().endsWith('/ListOpenOrders'));
    });
    /** Presses the window's button. @returns how often the board was read until it has closed. */
    const closedBy = async (verb: string): Promise<number> => {
      const before = boards;
      await window.getByRole('button', { name: verb }).click();
      await window.waitFor({ state: 'hidden' });
      return boards - before;
    };
    await page.getByRole('button', { name: 'Expected time' }).click();
    expect(await closedBy('Report')).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Record a handover' }).click();
    await window.getByLabel('Organization').first().fill('Klinikum Nord');
    await window.getByLabel('scan', { exact: true }).check();
    await window.getByLabel('Scanned seals').fill('S-1');
    expect(await closedBy('Record')).toBeGreaterThan(0);
    await close();
  });

  test('a driver whose name was erased is not said to be missing', async () => {
    const orderId = await sealed();
    const { orders } = operatorClients(stack);
    const circumstances = { orderId };
    await orders.startTransport({ circumstances });
    await orders.deliverOrder({ circumstances });
    await orders.closeOrder({ circumstances });
    await orders.erasePersonalData({ circumstances, fields: [], reason: 'requested' });
    const { page, close } = await open(['support']);
    await goTo(`/orders/${orderId}`);
    const driver = page.locator('dt', { hasText: 'Driver assigned' }).locator('+ dd');
    await driver.getByText('name erased').waitFor();
    expect(await driver.innerText()).not.toContain('not assigned');
    await close();
  });

  test('who holds it follows a recorded handover, in the console and in the portal', async () => {
    const id = await sealed();
    const { orders } = operatorClients(stack);
    await orders.startTransport({ circumstances: { orderId: id } });
    const { page, context, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const holds = page.getByRole('region', { name: 'Custody now' });
    await holds.getByText('D. Driver, City Couriers, on the way to München').waitFor();
    await orders.recordHandover({
      circumstances: { orderId: id },
      stage: 'transfer',
      from: { party: 'City Couriers', role: 'courier' },
      to: { party: 'Night Riders', role: 'courier', person: 'N. Rider' },
      methods: ['pin'],
    });
    await holds.getByText('N. Rider, Night Riders, on the way to München').waitFor();
    const entry = page.locator('.chain li', { hasText: 'HANDOVER_RECORDED' });
    await entry.getByText('Handover recorded').waitFor();
    const portal = await portalPage(stack, context, `/orders/${id}`);
    await portal.getByText('N. Rider, Night Riders, on the way to München').waitFor();
    await close();
  });

  test('a dialog is used by the keyboard alone, and gives the focus back', async () => {
    const id = await sealed();
    const { page, close } = await open(['dispatcher']);
    await goTo(`/orders/${id}`);
    const opener = page.getByRole('button', { name: 'Record a handover' });
    await opener.waitFor();
    await page.keyboard.press('n'); // the next step, as at the board
    await page.getByRole('dialog', { name: /^Start transport/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await opener.focus();
    await page.keyboard.press('Enter');
    const window = page.getByRole('dialog');
    await window.waitFor();
    await page.keyboard.press('Escape');
    await window.waitFor({ state: 'hidden' });
    await until(async () => (await focused()) === 'Record a handover', { what: 'the focus' });
    await page.keyboard.press('Enter');
    await window.getByLabel('Organization').first().focus();
    await page.keyboard.type('Klinikum Nord');
    await window.getByLabel('pin').focus();
    await page.keyboard.press('Space');
    for (let n = 0; n < 20; n++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === 'Record') break;
    }
    await page.keyboard.press('Enter');
    await window.waitFor({ state: 'hidden' });
    await page.getByText('Handover recorded').waitFor();
    await close();
  });

  test('a file that is too large is not sent, and one of 5 MiB is', async () => {
    const id = await sealed();
    const { page, close } = await open(['dispatcher']);
    await goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Record a handover' }).click();
    const window = page.getByRole('dialog');
    await window.getByLabel('Organization').first().fill('Klinikum Nord');
    await window.getByLabel('pin').check();
    const send = async (bytes: number) => {
      const pdf = `%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n${' '.repeat(bytes)}`;
      const buffer = Buffer.from(`${pdf.slice(0, bytes - 6)}\n%%EOF`);
      const file = { name: 'd.pdf', mimeType: 'application/pdf', buffer };
      await window.getByLabel('File').setInputFiles(file);
      await window.getByRole('button', { name: 'Record' }).click();
    };
    await send(5 * 1024 * 1024 + 1);
    await window.getByText('The file is larger than 5 MiB.').waitFor();
    await send(5 * 1024 * 1024);
    await window.waitFor({ state: 'hidden' });
    await page.getByText('Handover recorded').waitFor();
    await close();
  });

  const record = (orderId: string, csv: string) =>
    operatorClients(stack).orders.recordCondition({
      circumstances: { orderId },
      readings: {
        content: Buffer.from(csv),
        mediaType: 'text/csv',
        deviceId: 'LOG-7',
        unit: 'celsius',
      },
    });
  /** A reading an hour before an order that is created now. */
  const hot = () => `${new Date(Date.now() - 3_600_000).toISOString()},25`;
  const withHot = (csv: string) => csv.replace('\n', `\n${hot()}\n`);

  test.each([
    ['within', [4, 6], 'in custody: within the limits', 0],
    ['outside of', [-3, 14.5], 'in custody: outside of the limits 2 times', 2],
  ] as const)('temperatures %s the limits are drawn so', async (_, values, words, parts) => {
    const id = await sealed();
    const csv = withHot(readingsCsv(...values));
    await record(id, csv);
    const { page, context, close } = await open(['support'], phone);
    await goTo(`/orders/${id}`);
    const saved = async (from: Page) => {
      const [file] = await Promise.all([
        from.waitForEvent('download'),
        from.getByRole('button', { name: 'Download the file' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^readings-[0-9a-f]{12}\.csv\.txt$/);
      return (await readFile(await file.path())).toString();
    };
    const portal = await portalPage(stack, context, `/orders/${id}`);
    const range = `${values[0]} to ${values[1]} °C in custody`;
    for (const one of [page, portal]) {
      expect(await saved(one)).toBe(csv);
      const entry = one.locator('.chain li', { hasText: 'CONDITION_RECORDED' });
      await entry.getByText(words).waitFor();
      const dots = (await one.evaluate(
        "[...document.querySelectorAll('.chain li')].map((li) => getComputedStyle(li, '::before').backgroundColor)",
      )) as string[];
      const number = Number((await entry.getAttribute('id'))!.replace('entry-', ''));
      expect(dots[0]).toMatch(/^rgb/);
      expect(dots[number - 1] === dots[0]).toBe(parts === 0);
      const drawing = entry.getByRole('img');
      expect(await drawing.getAttribute('aria-label')).toBe(`${range}; permitted 2 to 8 °C`);
      expect(await drawing.locator('.outside').count()).toBe(parts);
      const text = await entry.innerText();
      expect(text).toContain(`${range}:`);
      expect(text).toContain(`${values[0]} to 25 °C, `);
      expect(text).toContain('Before or after the custody outside of the limits once');
    }
    await portal.close();
    await judge();
    await close();
  });

  test('readings outside of the custody alone are not said to be within the limits', async () => {
    const more = { temperature_min: 2, temperature_max: 8 };
    const id = (await partner(stack).post('/orders', orderBody(more))).body.id;
    await record(id, readingsCsv(5, 25));
    const { page, context, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const portal = await portalPage(stack, context, `/orders/${id}`);
    for (const one of [page, portal]) {
      const entry = one.locator('.chain li', { hasText: 'CONDITION_RECORDED' });
      await entry.getByText('No reading lies within the custody').waitFor();
      const text = await entry.innerText();
      expect(text).toContain('5 to 25 °C, 15 °C on average, 2 readings of LOG-7');
      expect(text).not.toContain('within the limits');
      expect(await entry.getByRole('img').count()).toBe(0);
    }
    await judge();
    await close();
  });

  test("the downloaded proof is proven, and the partner's own", async () => {
    const id = await sealed();
    const { provenProof, verdictOn } = proofsOf(stack);
    const partners = await provenProof(id, 6);
    const { page, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the proof' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`proof-${id}.json`);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file.entries).toEqual(partners.entries);
    expect((await verdictOn(file)).verdict).toBe('proven');
    const { json } = await operator(stack, 'ledger', 'proof', id);
    expect((json as typeof file).entries).toEqual(partners.entries);
    expect((await verdictOn(json)).verdict).toBe('proven');
    const [certificate] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the certificate' }).click(),
    ]);
    expect(certificate.suggestedFilename()).toBe(`certificate-${id}.html`);
    const html = await readFile(await certificate.path(), 'utf8');
    expect(html).toContain(partners.head_hash);
    expect(html).toContain('City Couriers');
    // the QR code leads to the page that verifies the proof, as the partner's certificate does
    const path = `/orders/${id}/custody/certificate`;
    const { text } = await partner(stack).call('GET', path, undefined, { accept: 'text/html' });
    const [verifyUrl] = /https?:[^<"]*\/verify/.exec(text)!;
    const qr = /<svg[^>]*role="img"[^>]*>.*?<\/svg>/s;
    expect(html).toContain(verifyUrl);
    expect(qr.exec(html)![0]).toBe(qr.exec(text)![0]);
    await judge();
    await close();
  });

  test('a proof of an order without a chain says why', async () => {
    const draft = orderBody({ auto_dispatch: false });
    const id = (await partner(stack).post('/orders', draft)).body.id;
    const { page, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    await page.getByText('no chain of that order').first().waitFor();
    await until(async () => (await page.locator('.skeleton').count()) === 0, { what: 'the page' });
    await close();
  });
});
