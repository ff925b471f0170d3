/** What partners wrote, on the pages of both audiences. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { longestTexts } from './longest-texts.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('a text of a partner', () => {
  const { open, goTo, judge, fits } = consoleBrowser(stack);
  const create = async (more: object): Promise<string> =>
    (await partner(stack).post('/orders', orderBody(more))).body.id;

  test('is a link that can be seen and pressed, if it is a reference of blanks', async () => {
    const ids = await Promise.all(['\u200B', '   '].map((external_id) => create({ external_id })));
    const { page, context, close } = await open(['support']);
    await goTo('/orders');
    const portal = await portalPage(stack, context, '/orders');
    for (const one of [page, portal])
      for (const id of ids) {
        const link = one.locator(`a[href="/orders/${id}"]`);
        await link.waitFor();
        expect((await link.boundingBox())!.width).toBeGreaterThan(20);
      }
    await page.locator(`a[href="/orders/${ids[0]}"]`).click();
    await page.getByRole('heading', { name: '[U+200B]' }).waitFor();
    expect(await page.title()).toMatch(/^\[U\+200B\] – .*Console/);
    await judge();
    await close();
  });

  test('keeps its lines, and changes the direction of no other text', async () => {
    const notes = 'Gate 3.\nRing twice.\n\u202Edesrever';
    const id = await create({ notes, external_id: `\u202E${crypto.randomUUID()}` });
    const { page, context, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const portal = await portalPage(stack, context, `/orders/${id}`);
    for (const one of [page, portal]) {
      const note = one.locator('dt', { hasText: 'Notes' }).locator('+ dd');
      await note.waitFor();
      expect(await note.innerText()).toBe('Gate 3.\nRing twice.\n[U+202E]desrever');
    }
    await judge();
    await close();
  });

  test('fits at each width, if it is one word of the greatest length', async () => {
    const { orderId: id, driverId } = await longestTexts(stack);
    const { page, close } = await open(['support']);
    for (const address of ['/orders', `/orders/${id}`, `/drivers/${driverId}`, `/?order=${id}`]) {
      await goTo(address);
      await page.locator('main').getByText('wwwwwwww').filter({ visible: true }).first().waitFor();
      for (const width of [390, 820, 1110, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await fits();
      }
    }
    for (const side of ['pickup', 'dropoff']) {
      const { url } = (await partner(stack).post(`/orders/${id}/links`, { side })).body;
      await page.goto(url);
      await page.getByText('wwwwwwww').first().waitFor();
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await fits();
      }
    }
    const { url: shift } = await operatorClients(stack).drivers.createDriverLink({ driverId });
    await page.goto(shift);
    await page.getByRole('button').click();
    await page.getByText('wwwwwwww').first().waitFor();
    for (const address of ['#/', `#/orders/${id}`]) {
      await page.evaluate(`location.hash = '${address}'`);
      await page.locator('.driver h1').waitFor();
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await fits();
      }
    }
    await close();
  });

  test('stays to the letter if it is an honest one, also in Hebrew', async () => {
    const names = ['Klinikum Süd, Haus 3', 'בית חולים\u200F 7', '👩\u200D⚕\uFE0F Ward'];
    const ids = await Promise.all(
      names.map((name) => create({ external_id: `${name} ${crypto.randomUUID()}`, notes: name })),
    );
    const { page, close } = await open(['support']);
    for (const [n, id] of ids.entries()) {
      await goTo(`/orders/${id}`);
      await page.locator('dt', { hasText: 'Notes' }).waitFor();
      expect(await page.locator('.mark').count()).toBe(0);
      expect(await page.locator('h1').innerText()).toContain(names[n]!);
    }
    await close();
  });
});
