/** The page Now in Chromium: what a dispatcher sees first, and does by single keys. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the page Now', () => {
  const { open, goTo, judge } = consoleBrowser(stack);
  const api = () => partner(stack);
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const create = async (name: string, minutes: number, more: object = {}): Promise<string> => {
    const external_id = `${name}-${crypto.randomUUID().slice(0, 8)}`;
    const body = orderBody({ external_id, pickup_window_start: at(minutes), ...more });
    return (await api().post('/orders', body)).body.id;
  };
  const statusOf = async (id: string) => (await api().get(`/orders/${id}`)).body.status;
  const becomes = (id: string, status: string) =>
    until(async () => (await statusOf(id)) === status, { what: status });
  const own = (more = '') => `/?of=${stack.file().organizations[0]!.id}${more}`;
  const card = (page: Page, id: string) => page.locator(`[data-order="${id}"]`);
  const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const end = (...ids: string[]) =>
    Promise.all(ids.map((id) => api().post(`/orders/${id}/cancel`, { reason: 'over' })));
  const wide = { viewport: { width: 1440, height: 900 } } as const;

  test('shows each open order where it is most urgent, and follows its changes', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const late = await create('L', -5, { sla: 'CRITICAL' });
    const due = await create('D', 30, { pickup_detail: 'Gate 3' });
    const mine = await create('M', 300);
    await goTo(own());
    await column(page, 'Late').locator(`[data-order="${late}"]`).getByText('5 min late').waitFor();
    await column(page, 'Due within the hour').locator(`[data-order="${due}"]`).waitFor();
    await column(page, 'Waiting for me').locator(`[data-order="${mine}"]`).waitFor();
    expect(await card(page, due).innerText()).toContain('Gate 3');
    const { orders } = operatorClients(stack);
    const circumstances = { orderId: mine };
    await orders.reportIncident({ circumstances, note: 'A wheel broke', kind: 'damage' });
    const exceptions = column(page, 'Exceptions').locator(`[data-order="${mine}"]`);
    await exceptions.getByText('damage, medium').waitFor();
    await exceptions.getByRole('button', { name: 'Resolve' }).click();
    const window = page.getByRole('dialog');
    await window.getByText(/^Open: damage, medium, reported .* by local: A wheel broke$/).waitFor();
    await judge();
    await window.getByLabel('How it ended').fill('Another van came.');
    await page.keyboard.press('Control+Enter');
    await column(page, 'Waiting for me').locator(`[data-order="${mine}"]`).waitFor();
    await end(late);
    await card(page, late).waitFor({ state: 'detached' });
    await until(async () => /^\(\d+\) Now/.test(await page.title()), { what: 'the count' });
    await end(due, mine);
    await close();
  });

  test('a plain order is brought from submitted to closed by five keys beside its texts', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const id = await create('K', 20);
    await goTo(own(`&q=${id}`));
    await card(page, id).waitFor();
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    const window = page.getByRole('dialog');
    const type = async (label: string, text: string) => window.getByLabel(label).fill(text);
    const send = async () => {
      await page.keyboard.press('Enter'); // the end of the text
      await window.waitFor({ state: 'hidden' });
    };
    await press('n');
    await type('Transport organization', 'City Couriers');
    await type('Driver', 'D. Driver');
    await judge();
    await send();
    await becomes(id, 'DRIVER_ASSIGNED');
    await card(page, id).getByRole('button', { name: 'Start pick-up' }).waitFor();
    await press('n');
    await becomes(id, 'PICKUP_STARTED');
    await card(page, id).getByRole('button', { name: 'Seal', exact: true }).waitFor();
    await press('n');
    await type('Seal', 'S-1');
    await send();
    await becomes(id, 'IN_TRANSIT');
    await card(page, id).getByRole('button', { name: 'Deliver' }).waitFor();
    await press('n');
    await window.waitFor();
    await window.getByRole('button', { name: 'Deliver' }).focus();
    await press('Enter');
    await becomes(id, 'CLOSED');
    expect(keys).toBe(5);
    await card(page, id).waitFor({ state: 'detached' });
    await close();
  });

  test('a step is taken back within its seconds, and one that a reload interrupts is sent once', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const id = await create('U', 20);
    const circumstances = { orderId: id };
    const { orders } = operatorClients(stack);
    await orders.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
    await goTo(own(`&q=${id}`));
    const accept = card(page, id).getByRole('button', { name: 'Accept' });
    await accept.click();
    await page.keyboard.press('u');
    await accept.waitFor();
    expect(await statusOf(id)).toBe('ASSIGNED');
    await accept.click();
    await page.getByRole('button', { name: /^Take back/ }).waitFor();
    await page.reload();
    await becomes(id, 'ACCEPTED');
    const events = (await api().get(`/orders/${id}/events`)).body as { internal_type: string }[];
    expect(events.filter((one) => one.internal_type === 'ORDER_ACCEPTED')).toHaveLength(1);
    await end(id);
    await close();
  });

  test('several orders are selected and assigned together, by keys and by the pointer', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const town = { address: { street: 'Platz 1', zip: '80331', city: 'München' } };
    // with a record, a window says that a typed name has none
    const name = `R${crypto.randomUUID().slice(0, 6)}`;
    await operatorClients(stack).carriers.createCarrier({ name });
    const ids = await Promise.all([1, 2].map((n) => create('S', 20 + n, { pickup: town })));
    await goTo(own('&town=München'));
    for (const id of ids) await card(page, id).waitFor();
    const window = page.getByRole('dialog', { name: 'Assign: 2 orders' });
    const byKeys = async () => {
      await page.keyboard.press('X');
      await page.keyboard.press('a');
    };
    const byPointer = async () => {
      await page.getByLabel('Select all: Due within the hour').check();
      const selection = page.getByRole('region', { name: 'Selected orders' });
      await selection.getByText('2 selected').waitFor();
      await page.keyboard.press('n'); // the focus is in the box
    };
    const assign = async (select: () => Promise<void>) => {
      await select();
      await window.getByLabel('Transport organization').fill('City Couriers');
      await page.keyboard.press('Enter');
    };
    await assign(byKeys);
    // one act has one way back
    await page.getByText('2 orders: assigned').waitFor();
    await page.getByRole('button', { name: /^Take back/ }).click();
    await page.getByText('2 orders: assigned').waitFor({ state: 'detached' });
    expect(await Promise.all(ids.map(statusOf))).toEqual(['SUBMITTED', 'SUBMITTED']);
    await assign(byPointer);
    for (const id of ids) await becomes(id, 'ASSIGNED');
    // what the act did stays until the person hides it, or does the next step
    const said = (what: string) =>
      page.getByRole('status').filter({ hasText: `2 orders: ${what}` });
    await said('assigned').getByRole('button', { name: 'Hide' }).click();
    await said('assigned').waitFor({ state: 'detached' });
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.getByLabel('Select all: Due within the hour').check();
    await page.keyboard.press('n');
    for (const id of ids) await becomes(id, 'ACCEPTED');
    await said('accepted').waitFor();
    await card(page, ids[0]!).getByRole('button', { name: 'Assign driver' }).click();
    const driver = page.getByRole('dialog', { name: /^Assign driver: S-/ });
    await driver.getByText('A driver of City Couriers.').waitFor();
    const placeOf = () => driver.getByRole('button', { name: 'Assign driver' }).boundingBox();
    const before = await placeOf();
    await driver.getByLabel('Driver').fill('D. Driver');
    expect(await placeOf()).toEqual(before); // it does not move under the pointer
    await page.keyboard.press('Enter');
    await becomes(ids[0]!, 'DRIVER_ASSIGNED');
    await said('accepted').waitFor({ state: 'detached' });
    await end(...ids);
    await close();
  });

  test('n takes the first step that some of the selected orders can take, and J goes to the next column', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const pickup = { address: { street: 'Platz 1', zip: '50667', city: 'Köln' } };
    const [first, second, third, due] = await Promise.all(
      [-60, -50, -40, 20].map((minutes) => create('N', minutes, { pickup })),
    );
    const { orders } = operatorClients(stack);
    for (const [orderId, transportOrganization] of [
      [second!, 'City Couriers'],
      [third!, 'Night Riders'],
    ] as const) {
      await orders.assignOrder({ circumstances: { orderId }, transportOrganization });
      await orders.acceptOrder({ circumstances: { orderId } });
    }
    await goTo(own('&town=Köln'));
    await card(page, third!).getByRole('button', { name: 'Assign driver' }).waitFor();
    await page.keyboard.press('X');
    const selection = page.getByRole('region', { name: 'Selected orders' });
    const steps = selection.locator('button:not(.quiet)');
    // a driver is of one carrier
    expect(await steps.allInnerTexts()).toEqual([
      'Assign (1)',
      'Assign driver, City Couriers (1)',
      'Assign driver, Night Riders (1)',
    ]);
    expect(await selection.locator('[aria-keyshortcuts="n"]').count()).toBe(1);
    // an incident is resolved alone, and its order is not selected for the step after it
    const circumstances = { orderId: first! };
    await orders.reportIncident({ circumstances, note: 'n', kind: 'delay' });
    await selection.getByText('One by one: 1').waitFor();
    await card(page, first!).getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('How it ended').fill('Over.');
    await page.keyboard.press('Control+Enter');
    await card(page, first!).getByRole('button', { name: 'Assign' }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select N-', checked: true }).count()).toBe(2);
    await card(page, first!).getByRole('checkbox').check();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: /^Assign: N-/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('J');
    await until(
      () => page.evaluate(`document.activeElement.dataset.order === '${due}'`) as Promise<boolean>,
      { what: 'the card of the next column' },
    );
    await end(first!, second!, third!, due!);
    await close();
  });

  test('a card names who holds the goods, and a late one whom to call', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const { orders, carriers } = operatorClients(stack);
    const name = `H${crypto.randomUUID().slice(0, 6)}`;
    const record = { name: `Couriers ${name}`, telephone: '+49 30 4711' };
    const carrierId = (await carriers.createCarrier(record)).carrier!.id;
    const [late, moving] = [await create(name, -5), await create(name, 20)];
    for (const orderId of [late, moving])
      await orders.assignOrder({ circumstances: { orderId }, carrierId });
    const circumstances = { orderId: moving };
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driver: 'Kim' });
    await orders.startPickup({ circumstances });
    await orders.sealOrder({ circumstances, sealIds: ['S-1'] });
    await orders.startTransport({ circumstances });
    const holder = page.getByRole('region', { name: 'Custody now' });
    const call = holder.getByRole('link', { name: record.telephone });
    await goTo(`/orders/${moving}`);
    await call.waitFor();
    await goTo(own(`&q=${name}`));
    await card(page, late).getByRole('link', { name: record.telephone }).waitFor();
    await card(page, moving).getByText(`${record.name} · Kim`).waitFor();
    // a card keeps its size when the keys leave it
    const size = await card(page, late).boundingBox();
    await page.keyboard.press('j');
    await page.locator(`[data-order="${moving}"]:focus`).waitFor();
    expect(await card(page, late).boundingBox()).toEqual(size);
    await orders.recordHandover({
      ...{ circumstances, stage: 'transfer', methods: ['pin'] },
      from: { party: record.name, role: 'courier' },
      to: { party: 'Night Riders', role: 'courier' },
    });
    await card(page, moving).getByText('Held by Night Riders').waitFor();
    await goTo(`/orders/${moving}`);
    await holder.getByText('Night Riders, on the way').waitFor();
    expect(await call.count()).toBe(0);
    await goTo(`/orders?q=${name}`);
    await page.getByRole('row').getByText('Held by Night Riders').waitFor();
    await goTo(own(`&q=${name}`));
    await orders.deliverOrder({ circumstances });
    await card(page, moving).getByText(`${record.name} · Kim`).waitFor();
    await orders.closeOrder({ circumstances });
    await end(late);
    await close();
  });

  test('on a telephone the tabs say where orders are selected, and an empty one leads on', async () => {
    const { page, close } = await open(['dispatcher'], { viewport: { width: 390, height: 800 } });
    const name = `T${crypto.randomUUID().slice(0, 6)}`;
    const [late, due] = [await create(name, -5), await create(name, 20)];
    await goTo(own(`&q=${name}`));
    const tab = (words: string) => page.locator('.tabs label').filter({ hasText: words });
    await page.getByLabel('Select all: Late').check();
    await tab('Due in 1 h').click();
    await page.getByLabel('Select all: Due within the hour').check();
    await page.getByText('2 selected in 2 lists').waitFor();
    expect(await page.locator('.tabs .picked').count()).toBe(2);
    await judge();
    await tab('Exceptions').click();
    await page.getByRole('button', { name: 'Next: Late (1)' }).click();
    await card(page, late).waitFor();
    expect(await page.getByText('due later').count()).toBe(0);
    await end(late, due);
    await close();
  });

  test('the keys go on in the column whose card was stepped, and stay on a card that another moves', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const name = `P${crypto.randomUUID().slice(0, 6)}`;
    const ids = [await create(name, 20), await create(name, 25), await create(name, 30)];
    const { orders } = operatorClients(stack);
    for (const orderId of ids)
      await orders.reportIncident({ circumstances: { orderId }, note: 'n', kind: 'delay' });
    await goTo(own(`&q=${name}`));
    for (const id of ids) await column(page, 'Exceptions').locator(card(page, id)).waitFor();
    const focused = (id: string) => page.locator(`[data-order="${id}"]:focus`).waitFor();
    await page.keyboard.press('j');
    await focused(ids[1]!);
    await page.keyboard.press('n');
    await page.getByLabel('How it ended').fill('Over.');
    await page.getByRole('button', { name: 'Resolve incident' }).click();
    await focused(ids[2]!);
    const circumstances = { orderId: ids[2]! };
    await orders.resolveIncident({ circumstances, incident: 2, note: 'Over.' });
    await column(page, 'Due within the hour').locator(card(page, ids[2]!)).waitFor();
    expect(await card(page, ids[2]!).getAttribute('tabindex')).toBe('0');
    await end(...ids);
    await close();
  });

  test('the list beside an order stays where it was when the order leaves it', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const name = `B${crypto.randomUUID().slice(0, 6)}`;
    const ids = [await create(name, 20), await create(name, 25)];
    const { orders } = operatorClients(stack);
    for (const orderId of ids)
      await orders.reportIncident({ circumstances: { orderId }, note: 'n', kind: 'delay' });
    await goTo(own(`&q=${name}&order=${ids[0]}`));
    const shown = page.locator('section.shown');
    await shown.locator(card(page, ids[0]!)).waitFor();
    const aside = page.getByRole('complementary', { name: 'Order' });
    await aside.getByRole('button', { name: 'Resolve' }).first().click();
    await page.getByLabel('How it ended').fill('Over.');
    await page.getByRole('button', { name: 'Resolve incident' }).click();
    await shown.locator(card(page, ids[0]!)).waitFor({ state: 'detached' });
    await shown.locator(card(page, ids[1]!)).waitFor();
    await page.locator('section.due').locator(card(page, ids[0]!)).waitFor({ state: 'attached' });
    expect(await shown.getAttribute('aria-label')).toBe('Exceptions');
    await aside.getByText('Recomputed in this browser').waitFor();
    await end(...ids);
    await close();
  });

  test('an endpoint that received nothing of many orders is one line, and leaves them where they are due', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const ids = await Promise.all([-5, -4, 20, 21].map((minutes) => create('U', minutes)));
    const of = { endpointId: crypto.randomUUID(), endpointAddress: 'lmu.example/hooks' };
    let orders = ids.slice(0, 3).map((orderId) => ({ orderId, ...of }));
    await page.route('**/ListUntoldOrders', (route) => route.fulfill({ json: { orders } }));
    const exceptions = column(page, 'Exceptions');
    await goTo(own('&q=U-'));
    for (const { orderId } of orders) await exceptions.locator(card(page, orderId)).waitFor();
    orders = ids.map((orderId) => ({ orderId, ...of }));
    await goTo(own('&q=U-'));
    await exceptions.getByText('lmu.example/hooks was not told of 4 open orders.').waitFor();
    expect(await exceptions.getByRole('link').first().getAttribute('href')).toBe(
      `/endpoints/${of.endpointId}`,
    );
    const [late, due] = [column(page, 'Late'), column(page, 'Due within the hour')];
    await late.locator(card(page, ids[0]!)).getByText('not told: lmu.example/hooks').waitFor();
    await due.locator(card(page, ids[3]!)).waitFor();
    await judge();
    // also if all are due later, and the board is empty
    const later = await Promise.all([600, 601, 602, 603].map((minutes) => create('U', minutes)));
    for (const orderId of later) {
      const circumstances = { orderId };
      await operatorClients(stack).orders.assignOrder({
        circumstances,
        transportOrganization: 'C',
      });
    }
    await end(...ids);
    orders = later.map((orderId) => ({ orderId, ...of }));
    await goTo(own('&q=U-'));
    await page.getByText('4 orders are due later').waitFor();
    expect(await page.locator('[data-order]').count()).toBe(0);
    await page.getByText('lmu.example/hooks was not told of 4 open orders.').waitFor();
    await judge();
    await end(...later);
    await close();
  });

  test('Enter in the search opens the only order, and looks among all orders if none is open', async () => {
    const { page, close } = await open(['dispatcher'], wide);
    const id = await create('E', 20);
    await goTo(own());
    await card(page, id).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search open orders' });
    await search.fill(id);
    await search.press('Enter');
    await page.getByRole('complementary', { name: 'Order' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await end(id);
    await page.getByText('Enter in the search looks among all orders.').waitFor();
    await search.press('Enter');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.locator(`a[href="/orders/${id}"]`).waitFor();
    await close();
  });

  test('Enter opens the order beside the board, Escape closes it, and support cannot step', async () => {
    const { page, close } = await open(['support'], wide);
    const id = await create('O', 20);
    await goTo(own(`&q=${id}`));
    await card(page, id).waitFor();
    expect(await card(page, id).getByRole('button', { name: 'Assign' }).count()).toBe(0);
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    const aside = page.getByRole('complementary', { name: 'Order' });
    await aside.getByText('Recomputed in this browser').waitFor();
    await judge();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Back');
    await page.keyboard.press('Escape');
    await aside.waitFor({ state: 'detached' });
    await page.locator(`[data-order="${id}"]:focus`).waitFor();
    expect(await statusOf(id)).toBe('SUBMITTED');
    await end(id);
    await close();
  });
});
