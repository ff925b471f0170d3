/** The deliveries on the page of an order, for both audiences. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { asSuperuser } from '../../as-superuser.ts';
import { hasChromium } from '../../chromium.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the deliveries of an order', () => {
  const { open, goTo, judge } = consoleBrowser(stack);
  const post = (path: string, body?: object) => partner(stack).post(path, body);
  const get = (path: string) => partner(stack).get(path);
  const remove = (path: string) => partner(stack).call('DELETE', path);
  const create = async (more: object = {}): Promise<string> =>
    (await post('/orders', orderBody(more))).body.id;
  const ofOrder = async (id: string) => (await get(`/orders/${id}/deliveries`)).body.data;
  const delivered = (id: string, count: number) =>
    until(
      async () => {
        const all: { state: string }[] = await ofOrder(id);
        return all.filter(({ state }) => state === 'DELIVERED').length === count;
      },
      { what: `${count} deliveries` },
    );
  /** Looks at the deliveries of an order in the console and in the portal. */
  const onBoth = async (
    id: string,
    look: (section: ReturnType<Page['locator']>) => Promise<void>,
  ) => {
    const { page, context, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const portal = await portalPage(stack, context, `/orders/${id}`);
    for (const one of [page, portal]) await look(one.getByRole('region', { name: 'Deliveries' }));
    await judge();
    await close();
  };

  test('that a deleted endpoint has not received are said beside the reason', async () => {
    const receiver = await startReceiver(stack);
    receiver.state.status = 500;
    const { id: endpointId } = (await receiver.subscribe()).body;
    const id = await create();
    await until(async () => (await ofOrder(id))[0]?.attempts.length > 0, { what: 'an attempt' });
    const { page, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const told = page.locator('.told');
    await told.getByText('next attempt').waitFor();
    expect(await told.locator('a').last().getAttribute('href')).toBe(`/endpoints/${endpointId}`);
    await remove(`/webhooks/${endpointId}`);
    await told.getByText(/500, endpoint deleted/).waitFor();
    await close();
    await receiver.stop();
  });

  test('are listed after their endpoint was deleted, with its host and path', async () => {
    const receiver = await startReceiver(stack);
    const endpoint = (await post('/webhooks', { url: `${receiver.url}?token=hidden` })).body;
    const id = await create();
    await delivered(id, 1);
    expect((await remove(`/webhooks/${endpoint.id}`)).status).toBe(204);
    const { host, pathname } = new URL(receiver.url);
    await onBoth(id, async (section) => {
      await section.locator('summary', { hasText: 'Deliveries' }).click();
      await section.getByText('order.submitted').waitFor();
      const line = section.locator('.endpoint');
      for (const words of [host + pathname, '1 of 1', 'endpoint deleted'])
        expect(await line.innerText()).toContain(words);
      expect(await line.locator('a').count()).toBe(0);
    });
    const [found] = await ofOrder(id);
    expect(found.endpoint_address).toBe(host + pathname);
    const list = await get(`/webhooks/${endpoint.id}/deliveries`);
    expect(list.body.data).toEqual([found]);
    expect((await get(`/webhooks/${endpoint.id}`)).status).toBe(404);
    for (const words of [
      ['list', '--endpoint', endpoint.id],
      ['show', found.id],
    ]) {
      const { json } = await operator(stack, 'delivery', ...words);
      expect(JSON.stringify(json)).toContain(host + pathname);
      expect(JSON.stringify(json)).not.toContain('hidden');
    }
    await receiver.stop();
  });

  test('have one line for each endpoint, and two of one address are distinct', async () => {
    const receivers = [await startReceiver(stack), await startReceiver(stack)];
    const long = `${receivers[0]!.url}/${'w'.repeat(200)}`;
    const urls = [`${receivers[1]!.url}?clinic=1`, `${receivers[1]!.url}?clinic=2`, long];
    const made = await Promise.all(urls.map((url) => post('/webhooks', { url })));
    const id = await create();
    await delivered(id, 3);
    await onBoth(id, async (section) => {
      const lines = section.locator('.endpoint');
      await until(async () => (await lines.count()) === 3, { what: 'the lines' });
      const texts = await lines.allInnerTexts();
      expect(new Set(texts).size).toBe(3);
      for (const text of texts) expect(text).toContain('1 of 1');
      for (const line of await lines.all())
        expect((await line.boundingBox())!.height).toBeLessThan(40);
    });
    await Promise.all(made.map(({ body }) => remove(`/webhooks/${body.id}`)));
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });

  test('say what a receiver answered, as text, and are sent again by one press', async () => {
    const receiver = await startReceiver(stack);
    receiver.state.status = 401;
    receiver.state.body = '<img src=x onerror="document.title=1"> signature expired';
    const endpoint = (await post('/webhooks', { url: receiver.url })).body;
    const id = await create();
    const { page, context, close } = await open(['dispatcher']);
    await goTo(`/orders/${id}`);
    const portal = await portalPage(stack, context, `/orders/${id}`);
    for (const one of [page, portal]) {
      const line = one.getByRole('region', { name: 'Deliveries' }).locator('.endpoint');
      await line.getByText('signature expired').waitFor();
      for (const words of ['0 of 1', '401', receiver.state.body])
        expect(await line.innerText()).toContain(words);
      expect(await line.locator('img').count()).toBe(0);
      // and at the beginning of the page
      expect(await one.locator('.told').innerText()).toMatch(
        /^Webhooks: received by 0 of 1 endpoint; .*: 401/,
      );
    }
    expect((await operator(stack, 'order', 'deliveries', id)).json).toMatchObject([
      {
        ...{ endpoint_id: endpoint.id, events: 1, delivered: 0 },
        last_failure: { status_code: 401, response_body: receiver.state.body },
      },
    ]);
    await judge();
    const attempts = receiver.received.length;
    receiver.state.status = 204;
    for (const one of [page, portal]) {
      const section = one.getByRole('region', { name: 'Deliveries' });
      if (one === page) await section.getByRole('button', { name: 'Send again' }).click();
      await section.getByText('1 of 1').waitFor();
      await one.getByText('received by 1 of 1 endpoint').waitFor();
      expect(await section.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    }
    expect(receiver.received.length).toBe(attempts + 1);
    await close();
    await remove(`/webhooks/${endpoint.id}`);
    await receiver.stop();
  });

  test('that are not read again say so once, whatever the number of endpoints', async () => {
    const receivers = [await startReceiver(stack), await startReceiver(stack)];
    const none = await create({ auto_dispatch: false });
    const made = await Promise.all(receivers.map(({ url }) => post('/webhooks', { url })));
    const two = await create();
    await delivered(two, 2);
    const failure = { code: 'internal', message: 'It failed.' };
    const { page, close } = await open(['support']);
    const section = page.getByRole('region', { name: 'Deliveries' });
    for (const [id, lines] of [
      [none, 0],
      [two, 2],
    ] as const) {
      await goTo(`/orders/${id}`);
      await (lines === 0 ? section.locator('.empty') : section.locator('h3').first()).waitFor();
      expect(await section.getByRole('alert').count()).toBe(0);
      await page.route('**/ListOrderDeliveries', (route) =>
        route.fulfill({ status: 500, json: failure }),
      );
      await section.getByRole('alert').first().waitFor();
      expect(await section.getByRole('alert').count()).toBe(1);
      expect(await section.locator('h3').count()).toBe(lines);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await section.getByRole('alert').waitFor({ state: 'detached' });
    }
    await close();
    await Promise.all(made.map(({ body }) => remove(`/webhooks/${body.id}`)));
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });

  test('say what was true then, if there are none, also while endpoints subscribe now', async () => {
    const own = partner(stack, stack.file().organizations[1]!.keys.all);
    const [submitted, draft] = await Promise.all(
      [{}, { auto_dispatch: false }].map(
        async (more) => (await own.post('/orders', orderBody(more))).body.id,
      ),
    );
    const [{ id: event }] = (await own.get(`/orders/${submitted}/events`)).body;
    await asSuperuser(stack, 'webhooks', (client) =>
      until(
        async () => {
          const { rowCount } = await client.query('select from inbox where event_id = $1', [event]);
          return rowCount === 1;
        },
        { what: 'the event in webhooks' },
      ),
    );
    const receiver = await startReceiver(stack);
    expect((await own.post('/webhooks', { url: receiver.url })).body.status).toBe('ENABLED');
    const { page, close } = await open(['support']);
    const nothing = page.getByRole('region', { name: 'Deliveries' }).locator('.empty');
    await goTo(`/orders/${submitted}`);
    await nothing.waitFor();
    expect(await nothing.innerText()).toMatch(/at the time of its events subscribed to them/);
    await goTo(`/orders/${draft}`);
    await nothing.getByText('it is a draft').waitFor();
    await close();
    await receiver.stop();
  });

  test("are those of the organization's own orders alone", async () => {
    const own = partner(stack, stack.file().organizations[1]!.keys.all);
    const foreign = await own.get(`/orders/${await create()}/deliveries`);
    const unknown = await own.get(`/orders/${crypto.randomUUID()}/deliveries`);
    expect(foreign.status).toBe(404);
    expect(foreign.body.error).toEqual(unknown.body.error);
  });
});
