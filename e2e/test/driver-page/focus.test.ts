/** Where the focus is on the driver's page, which outlives another language, and the position's question. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { phoneBrowser } from './phone-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)("the driver's page", () => {
  const { aDriver, linkOf, anOrderOf, aPhone, entriesUpTo } = phoneBrowser(stack);

  test('gives the focus to what is next, and back to what opened something', async () => {
    const driver = await aDriver();
    await anOrderOf(driver);
    const { page, context, tap, openOrder, focusOn } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    await focusOn('Berlin – München');
    await tap('I have arrived');
    await focusOn('Start the pick-up');
    await tap('Start the pick-up');
    await focusOn('Seals');
    await page.getByLabel('Seal 1').fill('S-1');
    await tap('Record the seals');
    await focusOn('Handover: pick-up');
    // a mistake leaves it where it was
    await tap('Record the handover');
    await page.getByText('Add a code, a signature').waitFor();
    await focusOn('Record the handover');
    await page.getByLabel('I have checked the identity').tap();
    await page.getByLabel('Who hands them over').fill('Nurse A');
    await tap('Record the handover');
    await focusOn('Start the transport');
    await page.locator('.others summary').tap();
    await tap('Report an incident');
    await focusOn('Incident');
    await tap('Back');
    await focusOn('More');
    await tap('Start the transport');
    await focusOn('I have arrived');
    await tap('I have arrived');
    await focusOn('Handover: drop-off');
    await page.getByLabel('I have checked the identity').tap();
    await page.getByLabel('Who receives them').fill('Nurse B');
    await tap('Record the handover');
    await focusOn('Deliver');
    await tap('Deliver');
    await tap('Back');
    await focusOn('Deliver');
    await tap('Deliver');
    await tap('Yes, delivered');
    await focusOn('Finish this transport');
    await tap('Finish this transport');
    await focusOn('Berlin – München');
    await page.getByRole('link', { name: 'All transports' }).tap();
    await page.getByRole('link', { name: 'Shift' }).tap();
    await tap('End the shift');
    await focusOn('Yes, end the shift');
    await tap('Back');
    await focusOn('End the shift');
    await context.close();
  });

  test('keeps the texts of a form in another language, on another page and after a reload', async () => {
    const driver = await aDriver();
    await anOrderOf(driver, { items: [{ goods_type: 'blood' }, { goods_type: 'tissue' }] });
    const { page, context, tap, openOrder, judge, stored } = await aPhone();
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await openOrder();
    await tap('I have arrived');
    await tap('Start the pick-up');
    await page.getByLabel('Seal 1').fill('S-1');
    await page.getByLabel('Seal 2').fill('S-2');
    await page.reload();
    for (const n of [1, 2])
      await until(async () => (await page.getByLabel(`Seal ${n}`).inputValue()) === `S-${n}`, {
        what: `seal ${n}`,
      });
    await tap('Record the seals');
    await page.getByLabel('Who hands them over').fill('Nurse A');
    await page.getByLabel('Role').selectOption('courier');
    await page.getByLabel('I have checked the identity').tap();
    await page.getByLabel('Code of the other side').fill('1234');
    await page.getByRole('link', { name: 'All transports' }).tap();
    await page.getByRole('link', { name: 'Shift' }).tap();
    await tap('Deutsch');
    await page.getByRole('button', { name: 'English' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Schicht' }).waitFor();
    await page.getByRole('link', { name: 'Alle Transporte' }).tap();
    await openOrder();
    const person = page.getByLabel('Wer übergibt');
    await until(async () => (await person.inputValue()) === 'Nurse A', { what: 'the name' });
    expect(await page.getByLabel('Rolle').inputValue()).toBe('courier');
    expect(await page.getByLabel('Ich habe den Ausweis geprüft').isChecked()).toBe(true);
    const code = page.getByLabel('Code der anderen Seite');
    expect(await code.inputValue()).toBe('1234');
    await judge();
    await code.fill('');
    await tap('Übergabe eintragen');
    await page.getByRole('button', { name: 'Transport beginnen' }).waitFor();
    // names do not outlive the record, nor texts the form of another step
    expect(JSON.parse(await stored())).toMatchObject({ sessionStorage: {}, drafts: [] });
    await page.locator('.others summary').tap();
    await tap('Vorfall melden');
    expect(await page.getByLabel('Was ist geschehen').inputValue()).toBe('');
    await context.close();
  });

  test('without a permission for the position all steps work, and it asks once', async () => {
    const driver = await aDriver();
    const id = await anOrderOf(driver);
    const { page, context, tap, openOrder, judge } = await aPhone({ permissions: [] });
    await context.addInitScript(`{
      const read = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation);
      navigator.geolocation.getCurrentPosition = (...given) => {
        localStorage.reads = Number(localStorage.reads ?? 0) + 1;
        read(...given);
      };
    }`);
    const reads = () => page.evaluate('Number(localStorage.reads ?? 0)');
    await page.goto(await linkOf(driver));
    await tap('Begin the shift');
    await tap('Allow the position');
    const said = page.getByText('Allow it for this page in the settings of the browser');
    await said.waitFor();
    await judge();
    await openOrder();
    await tap('I have arrived');
    await tap('Start the pick-up');
    await page.getByLabel('Seal 1').fill('S-1');
    await tap('Record the seals');
    await page.getByLabel('I have checked the identity').waitFor(); // it is recorded
    await page.reload();
    await page.getByLabel('I have checked the identity').tap();
    await tap('Record the handover');
    await tap('Start the transport');
    await tap('I have arrived');
    await page.getByLabel('I have checked the identity').tap();
    await page.getByLabel('Who receives them').fill('Nurse B');
    await tap('Record the handover');
    await tap('Deliver');
    await tap('Yes, delivered');
    await tap('Finish this transport');
    const entries = await entriesUpTo(id, 'ORDER_CLOSED');
    const places = entries.map(({ gps_lat }: { gps_lat: number | null }) => gps_lat);
    expect(new Set(places)).toEqual(new Set([null]));
    await page.getByRole('link', { name: 'All transports' }).tap();
    expect(await page.getByRole('button', { name: 'Allow the position' }).count()).toBe(0);
    expect(await reads()).toBe(1);
    // where to allow it is said where it is chosen
    await page.getByRole('link', { name: 'Shift' }).tap();
    await said.waitFor();
    await tap('Record the position');
    await said.waitFor();
    expect(await reads()).toBe(2);
    await context.close();
  });
});
