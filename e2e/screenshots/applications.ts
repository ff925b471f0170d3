/** The console, the portal, links for wards and a driver's phone with something to see, their pages, and how a browser signs in. */
import { pngPicture, readingsCsv } from '@pto/testing';
import type { Page } from 'playwright-core';
import { signInToConsole } from '../console-sign-in.ts';
import type { LocalStack } from '../local-stack.ts';
import { operatorClients } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { startReceiver } from '../receiver.ts';
import type { states } from './states.ts';

const scopes = ['orders:read', 'orders:write', 'webhooks:manage', 'keys:rotate'];

export interface Application {
  readonly name: string;
  readonly pages: readonly (readonly [name: string, address: string])[];
  /** Its states that are looked at; absent: all. */
  readonly states?: readonly (keyof typeof states)[];
  /** Signs in on an empty page. @returns the origin of the application. */
  readonly signIn: (page: Page) => Promise<string>;
}

/** Returns the applications over orders and a receiver that this makes in a running local stack. */
export const openApplications = async (stack: LocalStack) => {
  const receiver = await startReceiver(stack);
  const of = partner(stack);
  const organization = stack.file().organizations[0]!.id;
  const created = await of.post('/orders', orderBody({ external_id: `C-${Date.now()}` }));
  const endpoint = (await of.post('/webhooks', { url: receiver.url })).body;
  const order = await handedOver(stack); // its events are delivered
  const { driver, idle, walkedTo } = await driversOfCarrier(stack);
  const delivered = await walked(stack, { temperature_min: 2, temperature_max: 8 }, 8);
  const linkOf = async (id: string) => {
    const { url } = (await of.post(`/orders/${id}/links`, { side: 'dropoff' })).body;
    return url.slice(new URL(url).origin.length);
  };
  const links = {
    before: await linkOf(created.body.id),
    'under-way': await linkOf(order),
    delivered: await linkOf(delivered),
  };
  const applications: readonly Application[] = [
    {
      name: 'console',
      pages: [
        ['now', `/?of=${organization}`],
        ['now-order', `/?of=${organization}&order=${order}`],
        ['orders', '/orders?show=all'],
        ['order', `/orders/${order}`],
        ['order-created', `/orders/${created.body.id}`],
        ['carriers', '/carriers'],
        ['driver', `/drivers/${driver}`],
        ['driver-idle', `/drivers/${idle}`],
        ['organizations', '/organizations'],
        ['organization', `/organizations/${organization}`],
        ['endpoint', `/endpoints/${endpoint.id}`],
        ['map', '/map'],
        ['ledger', '/ledger'],
        ['dead-letters', '/dead-letters'],
        ['audit', '/audit'],
        ['operators', '/operators'],
        ['status', '/status'],
      ],
      signIn: async (page) => {
        await signInToConsole(page, stack, ['support', 'dispatcher', 'admin', 'auditor']);
        return stack.file().consoleUrl;
      },
    },
    {
      name: 'portal',
      pages: [
        ['orders', '/orders'],
        ['order', `/orders/${order}`],
        ['order-created', `/orders/${created.body.id}`],
        ['requests', '/requests'],
        ['endpoints', '/endpoints'],
        ['endpoint', `/endpoints/${endpoint.id}`],
        ['keys', '/keys'],
      ],
      signIn: async (page) => {
        const { access } = operatorClients(stack);
        const rotating = await access.issueKey({
          organizationId: organization,
          scopes,
          name: 'Ward',
        });
        const made = await partner(stack, rotating.secret).post('/portal-links', { scopes });
        const { url } = made.body;
        await page.goto(url);
        await page.getByRole('button', { name: 'Open the portal' }).click();
        await page.locator('#content h1').waitFor();
        return new URL(url).origin;
      },
    },
    {
      name: 'link',
      pages: [
        ...Object.entries(links),
        ['ended', `${links.before.slice(0, -49)}${'0'.repeat(49)}`],
      ],
      signIn: async () => new URL((await of.post('/portal-links', {})).body.url).origin,
    },
    {
      name: 'phone',
      states: ['loaded'],
      pages: [
        ['orders', '/driver'],
        ['shift', '/driver#/shift'],
        ...Object.entries(walkedTo).map(
          ([step, id]) => [`order-${step}`, `/driver#/orders/${id}`] as const,
        ),
      ],
      signIn: async (page) => {
        const { drivers } = operatorClients(stack);
        const { url } = await drivers.createDriverLink({ driverId: driver });
        await page.goto(url);
        await page.getByRole('button').click();
        await page.locator('.driver h1').waitFor();
        return new URL(url).origin;
      },
    },
  ];
  return { applications, stop: () => receiver.stop() };
};

/** Makes an order that has done its first steps. @param by its carrier and its driver. */
const walked = async (
  stack: LocalStack,
  more: Parameters<typeof orderBody>[0],
  steps: number,
  [carrier, driver]: readonly [object, object] = [
    { transportOrganization: 'City Couriers' },
    { driver: 'D. Driver' },
  ],
): Promise<string> => {
  const body = orderBody({ external_id: `W-${steps}-${Date.now()}`, ...more });
  const { items } = body;
  const orderId = (await partner(stack).post('/orders', body)).body.id as string;
  const { orders } = operatorClients(stack);
  const circumstances = { orderId };
  const all = [
    () => orders.assignOrder({ circumstances, ...carrier }),
    () => orders.acceptOrder({ circumstances }),
    () => orders.assignDriver({ circumstances, ...driver }),
    () => orders.startPickup({ circumstances }),
    () => orders.sealOrder({ circumstances, sealIds: items.map((_, n) => `S-${n + 1}`) }),
    () => orders.startTransport({ circumstances }),
    () => orders.deliverOrder({ circumstances }),
    () => orders.closeOrder({ circumstances }),
  ];
  for (const step of all.slice(0, steps)) await step();
  return orderId;
};

/** A driver with orders that are late, due, on their way and delivered, and one without. */
const driversOfCarrier = async (stack: LocalStack) => {
  const { carriers } = operatorClients(stack);
  const name = `Couriers ${Date.now()}`;
  const { carrier } = await carriers.createCarrier({ name, telephone: '+49 30 1234567' });
  const carrierId = carrier!.id;
  const kim = { carrierId, name: 'Kim Driver', telephone: '+49 171 1234567' };
  const driverId = (await carriers.createDriver(kim)).driver!.id;
  const robin = (await carriers.createDriver({ carrierId, name: 'Robin Rider' })).driver!.id;
  const laboratory = {
    ...{ label: 'Laboratory', street: 'Ringstr. 7', zip: '10117', city: 'Berlin', country: 'DE' },
    ...{ contact_name: 'Night duty', contact_phone: '+49 30 7654321' },
  };
  const pickup = { location_id: (await partner(stack).post('/locations', laboratory)).body.id };
  const days = { '-12': 3, '30': 3, '90': 4, '50': 5, '20': 6, '10': 7 };
  const walkedTo: Record<string, string> = {};
  for (const [minutes, steps] of Object.entries(days)) {
    const pickup_window_start = new Date(Date.now() + Number(minutes) * 60_000).toISOString();
    const details = { pickup_detail: 'Gate 3, ring twice.', dropoff_detail: 'Night porter.' };
    const limits = { temperature_min: 2, temperature_max: 8 };
    const required_evidence = { dropoff: ['scan', 'signature'] };
    const more = { pickup, pickup_window_start, ...details, ...limits };
    const asked = { ...more, ...(steps < 7 && { required_evidence }) };
    walkedTo[steps] = await walked(stack, asked, steps, [{ carrierId }, { driverId }]);
  }
  return { driver: driverId, idle: robin, walkedTo };
};

/** An order on its way, with a handover and its file, readings, an incident and an escalation. */
const handedOver = async (stack: LocalStack): Promise<string> => {
  const limits = { temperature_min: 2, temperature_max: 8, notes: 'Ring at the ramp.' };
  const details = { pickup_detail: 'Gate 3, ring twice.', dropoff_detail: 'Night porter.' };
  const items = [{ goods_type: 'blood' }, { goods_type: 'tissue' }];
  const more = { external_id: `H-${Date.now()}`, sla: 'EXPRESS', items, ...limits, ...details };
  const orderId = await walked(stack, more, 6);
  const { orders } = operatorClients(stack);
  const circumstances = { orderId };
  await orders.recordHandover({
    circumstances,
    stage: 'transfer',
    from: { party: 'City Couriers', role: 'courier', person: 'D. Driver' },
    to: { party: 'Night Riders', role: 'courier', person: 'N. Rider' },
    methods: ['scan', 'photo'],
    scannedSealIds: ['S-1', 'S-9'],
    artifact: { content: pngPicture(5), mediaType: 'image/png' },
  });
  await orders.recordCondition({
    circumstances,
    readings: {
      content: Buffer.from(readingsCsv(4.5, 9.5, 5)),
      mediaType: 'text/csv',
      deviceId: 'LOG-7',
      unit: 'celsius',
    },
  });
  await orders.reportIncident({ circumstances, note: 'A flat tire' });
  await orders.escalateOrder({ circumstances, note: 'The recipient waits.' });
  return orderId;
};
