/** Each member of the order model is on the order's page of both audiences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { OrderSchema } from '@pto/proto/orders/v1/orders';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();

/** Members that no page shows, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  source: 'one value for all orders (decision 9)',
  'pickup_location.id': 'a name for requests; the address stands for the place',
  'pickup_location.lat': 'drawn on the map',
  'pickup_location.lng': 'drawn on the map',
  'pickup_location.created_via_api': 'says nothing about the order',
  'pickup_location.created_at': 'says nothing about the order',
  'dropoff_location.id': 'a name for requests; the address stands for the place',
  'dropoff_location.label': 'repeats the address, for it is the automatic one (decision 12)',
  'dropoff_location.lat': 'drawn on the map',
  'dropoff_location.lng': 'drawn on the map',
  'dropoff_location.created_via_api': 'says nothing about the order',
  'dropoff_location.created_at': 'says nothing about the order',
  updated_at: 'relative to now, and exact when pointed at',
};
/** Members that partners do not see, and which the console shows or not. */
const operatorsOwn: Readonly<Record<string, string | undefined>> = {
  transport_organization: 'City Couriers',
  driver: 'D. Driver',
  carrier_id: undefined, // the link of the transport organization
  driver_id: undefined, // the link of the driver
  organization_id: 'Demo Clinic',
  custody_fault: undefined, // of a violation: shown at the top, beside the ledger's list
  sequence: undefined, // the number of entries of the shown chain
  locked_codes: undefined, // an incident with a button, if a side is locked
};

const time = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`;
/** How a page writes a member, where that is not the value itself. */
const written: Readonly<Record<string, (value: never) => string>> = {
  status: (value: string) => value.toLowerCase(),
  sla: (value: string) => value.toLowerCase(),
  pickup_window_start: time,
  pickup_window_end: time,
  created_at: time,
  pickup_eta: () => 'expected',
  dropoff_eta: () => 'expected',
  eta_source: () => 'estimated',
  price_total: (value: number) => value.toFixed(2),
  open_incidents: (value: readonly { kind: string }[]) =>
    value.map(({ kind }) => (kind === 'other' ? 'Open: incident' : kind)).join(),
  has_incident: (value: boolean) => (value ? 'incident' : ''),
  required_evidence: (stages: Record<string, string[]>) =>
    Object.entries(stages)
      .filter(([, methods]) => methods.length > 0)
      .map(([stage, methods]) => `${stage}: ${methods.join(', ').replaceAll('_', ' ')}`)
      .join('; '),
};

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../services/gateway/openapi/v1.json'), 'utf8'),
) as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };

/** The paths of all members of a schema, such as `pickup_location.street` and `items.0.seal_id`. */
const membersOf = (schema: Schema, path: readonly string[] = []): string[] => {
  const { $ref, anyOf, items, properties } = schema;
  if (path.join() in written) return [path.join()];
  if ($ref) return membersOf(document.components.schemas[$ref.split('/').at(-1)!]!, path);
  if (anyOf) return membersOf(anyOf[0]!, path);
  if (items) return membersOf(items, [...path, '0']);
  if (!properties) return [path.join('.')];
  return Object.entries(properties).flatMap(([name, of]) => membersOf(of, [...path, name]));
};
const members = membersOf({ $ref: '#/components/schemas/Order' });

const memberOf = (order: object, path: string): unknown =>
  path.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown>)?.[name], order);

/** All that an order can say; `dropoff` names its place otherwise than the geocoder. */
const complete = () =>
  orderBody({
    external_id: `M-${crypto.randomUUID()}`,
    sla: 'EXPRESS',
    pickup: {
      address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin', label: 'Ward 7' },
    },
    dropoff: { address_text: 'Marienplatz 1, 80331 München' },
    pickup_window_end: '2030-01-01T09:15:00Z',
    notes: 'Handle gently.',
    pickup_detail: 'Gate 3, ring twice.',
    dropoff_detail: 'The night porter has the key.',
    items: [{ goods_type: 'platelets' }],
    required_evidence: { pickup: ['scan'], dropoff: ['signature'], return: ['pin'] },
    temperature_min: 2.25,
    temperature_max: 7.75,
  });

(hasChromium ? describe : describe.skip)('the page of an order', () => {
  const { open, goTo } = consoleBrowser(stack);

  /**
   * An order that is sealed, with an incident, a cancelled one, and one that waits; together they have
   * all members.
   */
  const someOrders = async () => {
    const { orders } = operatorClients(stack);
    const { post, get } = partner(stack);
    const [cancelled, sealed, waits] = await Promise.all(
      [complete(), complete(), complete()].map(
        async (body) => (await post('/orders', body)).body.id as string,
      ),
    );
    await post(`/orders/${cancelled}/cancel`, { reason: 'No donor came.' });
    const circumstances = { orderId: sealed! };
    await orders.updateOrder({ circumstances, priceTotal: '12.50' });
    await orders.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driver: 'D. Driver' });
    await orders.startPickup({ circumstances });
    await orders.sealOrder({ circumstances, sealIds: ['S-4711'] });
    await orders.reportIncident({ circumstances, note: 'A flat tire' });
    return Promise.all(
      [sealed, cancelled, waits].map(
        async (id) => (await get(`/orders/${id}`)).body as { id: string },
      ),
    );
  };
  const textOf = async (page: Page): Promise<string> => {
    await page.getByText('Recomputed in this browser').waitFor();
    // not the chain, which repeats some of it
    const parts = page.locator('#content > .bar, .incidents, section[aria-label="Order"]');
    return (await parts.allInnerTexts()).join('\n');
  };

  test('shows each member of the order model to operators and to partners', async () => {
    const orders = await someOrders();
    const { page, context, close } = await open(['support']);
    for (const order of orders) {
      await goTo(`/orders/${order.id}`);
      const shown = { console: await textOf(page), portal: '' };
      const portal = await portalPage(stack, context, `/orders/${order.id}`);
      shown.portal = await textOf(portal);
      await portal.close();
      for (const [audience, text] of Object.entries(shown)) {
        const missing = members.filter((path) => {
          const value = memberOf(order, path);
          if (path in exceptions || value === null) return false;
          const words = written[path] ? written[path](value as never) : String(value);
          return !text.includes(words);
        });
        expect({ audience, missing }).toEqual({ audience, missing: [] });
      }
    }
    // a member without a value would be found on every page
    const absent = members.filter((path) => orders.every((one) => memberOf(one, path) === null));
    expect(absent).toEqual([]);
    await close();
  });

  test("shows the operators' own members in the console alone", async () => {
    const [sealed] = await someOrders();
    const { page, context, close } = await open(['support']);
    await goTo(`/orders/${sealed!.id}`);
    const partners = new Set(members.map((path) => path.split('.')[0]));
    const own = OrderSchema.fields
      .map(({ name }) => name.replace(/_json$/, ''))
      .filter((name) => !partners.has(name));
    expect(own.toSorted()).toEqual(Object.keys(operatorsOwn).toSorted());
    const portal = await portalPage(stack, context, `/orders/${sealed!.id}`);
    for (const words of Object.values(operatorsOwn)) {
      if (words === undefined) continue;
      expect(await textOf(page)).toContain(words);
      expect(await textOf(portal)).not.toContain(words);
    }
    await close();
  });

  test('shows no row for what an order does not have', async () => {
    const bare = orderBody({ items: [] });
    const id = (await partner(stack).post('/orders', bare)).body.id;
    const { page, context, close } = await open(['support']);
    await goTo(`/orders/${id}`);
    const portal = await portalPage(stack, context, `/orders/${id}`);
    for (const one of [page, portal]) {
      await textOf(one);
      const rows = await one.getByRole('region', { name: 'Order', exact: true }).locator('dt');
      const names = (await rows.allInnerTexts()).filter(
        (name) => !['Organization', 'Carrier assigned', 'Driver assigned'].includes(name),
      );
      expect(names).toEqual(['Id', 'Priority', 'Pick-up', 'Drop-off', 'Goods', 'Created']);
    }
    await close();
  });
});
