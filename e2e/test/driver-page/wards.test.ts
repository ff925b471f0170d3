/** A driver and two wards: a transport from the link to CLOSED by their pages alone (decisions 86 and 87). */
import { describe, expect, test } from '@jest/globals';
import { clockIn } from '@pto/representation';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { partner } from '../../partner.ts';
import { proofsOf } from '../proven-proof.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser } from './phone-browser.ts';
import { aPhoto } from './photo.ts';

const stack = sharedStack();

interface Entry {
  readonly internal_type: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
}

(hasChromium ? describe : describe.skip)('a driver and the wards', () => {
  const { office, aDriver, linkOf, anOrderOf, aPhone, entriesUpTo } = phoneBrowser(stack);
  const wardLink = async (orderId: string, side: string): Promise<string> =>
    (await partner(stack).post(`/orders/${orderId}/links`, { side })).body.url;
  /** The four digits on a ward's page. */
  const codeOn = async (page: Page): Promise<string> => {
    const shown = page.locator('section.code strong');
    await shown.waitFor();
    return (await shown.innerText()).replace(/\D/g, '');
  };

  test('meet by a code twice; what happens on the way is reported, signed and proven', async () => {
    const driver = await aDriver('Kim Canary');
    const id = await anOrderOf(driver, {
      ...{ temperature_min: 2, temperature_max: 8 },
      required_evidence: {
        pickup: ['code', 'device_signature'],
        dropoff: ['code', 'device_signature'],
      },
    });
    const [sender, recipient] = [await aPhone(), await aPhone({ locale: 'de-DE' })];
    await sender.page.goto(await wardLink(id, 'pickup'));
    await recipient.page.goto(await wardLink(id, 'dropoff'));
    const phone = await aPhone({
      permissions: ['geolocation'],
      geolocation: { latitude: 52.3, longitude: 13.1, accuracy: 20 },
    });
    const { page, tap, judge, openOrder } = phone;
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await tap('Allow the position');
    await openOrder();
    await page.getByRole('button', { name: 'I will be there at …' }).waitFor();
    await tap('I have arrived');
    await tap('Start the pick-up');
    const seals = page.getByRole('textbox', { name: /Seal \d/ });
    await seals.first().fill('S-1');
    await tap('Record the seals');

    const wrong = (await codeOn(sender.page)) === '0000' ? '1111' : '0000';
    const code = page.getByLabel('Code of the other side, four digits');
    await code.fill(wrong);
    await tap('Record the handover');
    await page.getByText('This code is wrong. 4 more wrong ones lock it.').waitFor();
    await judge();
    await code.fill(await codeOn(sender.page));
    await tap('Record the handover');
    await tap('Start the transport');

    await page.getByText('More').tap();
    await tap('Record a temperature');
    await page.getByLabel('Thermometer or logger').fill('T-1');
    await page.getByLabel('Temperature now').fill('4,5');
    await judge();
    await tap('Record the temperature');
    await page.getByText('Temperature by T-1').waitFor();
    await page.getByText('More').tap();
    await tap('Report an incident');
    await page.getByLabel('What happened').fill('a dent');
    await page.locator('.take input').setInputFiles(await aPhoto(page));
    await page.getByAltText('The photo').waitFor();
    await tap('Report the incident');
    await page.getByText(/^Incident:/).waitFor();

    const soon = new Date(Date.now() + 3_600_000);
    // by the clock of the place
    const clock = clockIn('Europe/Berlin', soon.getTime()).slice(11);
    await tap('I will be there at …');
    await page.getByLabel('I will be there at').fill(clock);
    await tap('Report the time');
    await page.getByRole('status').filter({ hasText: clock }).waitFor();
    await recipient.page.reload();
    await recipient.page.getByText(/Erwartet/).waitFor();

    await tap('I have arrived');
    await code.fill(await codeOn(recipient.page));
    await tap('Record the handover');
    await tap('Deliver');
    await tap('Yes, delivered');
    await tap('Finish this transport');

    const entries: Entry[] = await entriesUpTo(id, 'ORDER_CLOSED');
    const signed = entries.filter(({ payload }) => payload?.device);
    expect(signed.map((one) => one.internal_type)).toEqual([
      ...['DRIVER_ARRIVED', 'PICKUP_STARTED', 'SEAL_APPLIED', 'HANDOVER_RECORDED'],
      ...['TRANSPORT_STARTED', 'CONDITION_RECORDED', 'INCIDENT_REPORTED', 'DRIVER_ARRIVED'],
      ...['HANDOVER_RECORDED', 'CUSTODY_TRANSFERRED', 'ORDER_CLOSED'],
    ]);
    const handovers = signed.filter((one) => one.internal_type === 'HANDOVER_RECORDED');
    expect(handovers.map(({ payload }) => payload!.methods)).toEqual([['code'], ['code']]);
    const [reading] = signed.filter((one) => one.internal_type === 'CONDITION_RECORDED');
    expect(reading!.payload).toMatchObject({ maximum: 4.5, recorded_by: 'driver' });
    const text = JSON.stringify(entries);
    expect(text).not.toContain('DEVICE_RECORD_KEPT');
    const { provenProof, verdictOn } = proofsOf(stack);
    const verdict = await verdictOn(await provenProof(id, entries.length));
    expect(verdict).toMatchObject({ verdict: 'proven' });
    expect(JSON.stringify(verdict)).toContain('Signed on devices: entry');
    expect(text).toContain('Kim Canary');
    const circumstances = { orderId: id };
    await office().orders.erasePersonalData({ circumstances, reason: 'the end of a retention' });
    const erased: Entry[] = await entriesUpTo(id, 'PERSONAL_DATA_ERASED');
    expect(JSON.stringify(erased)).not.toMatch(/Kim Canary|a dent/);
    const later = await verdictOn(await provenProof(id, erased.length));
    expect(JSON.stringify(later)).toContain('"proven"');
    expect(JSON.stringify(later)).toContain('Signed on devices: entry');
    const { order } = await office().orders.showOrder({ orderId: id });
    expect(order!.status).toBe('CLOSED');
    for (const one of [sender, recipient, phone]) await one.context.close();
  });

  test('the page of an order under way sends one position, and goes on without a memory for it', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, tap, openOrder, context } = await aPhone({
      permissions: ['geolocation'],
      geolocation: { latitude: 52.512345, longitude: 13.398765, accuracy: 20 },
    });
    const sent: object[] = [];
    page.on('request', (one) => {
      if (one.url().endsWith('/ReportPosition')) sent.push(one.postDataJSON());
    });
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await tap('Allow the position');
    expect(sent).toEqual([]);
    const answered = page.waitForResponse(/ReportPosition$/);
    await openOrder();
    // the shared stack has no Redis
    expect(await (await answered).json()).toEqual({ ignored: 'unavailable' });
    await page.clock.install();
    for (const kind of ['hidden', 'visible'])
      await page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${kind}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await tap('I have arrived');
    expect(sent).toEqual([expect.objectContaining({ lat: 52.512345, lng: 13.398765 })]);
    await context.close();
  });
});
