/** The console and the portal with something to see, their pages, and how a browser signs in. */
import { pngPicture, readingsCsv } from '@pto/testing';
import type { Page } from 'playwright-core';
import { signInToConsole } from '../console-sign-in.ts';
import type { LocalStack } from '../local-stack.ts';
import { operatorClients } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { startReceiver } from '../receiver.ts';

const scopes = ['orders:read', 'orders:write', 'webhooks:manage', 'keys:rotate'];

export interface Application {
  readonly name: string;
  readonly pages: readonly (readonly [name: string, address: string])[];
  /** Signs in on an empty page. @returns the origin of the application. */
  readonly signIn: (page: Page) => Promise<string>;
}

/** Returns both applications over orders and a receiver that this makes in a running local stack. */
export const openApplications = async (stack: LocalStack) => {
  const receiver = await startReceiver(stack);
  const of = partner(stack);
  const organization = stack.file().organizations[0]!.id;
  const created = await of.post('/orders', orderBody({ external_id: `C-${Date.now()}` }));
  const endpoint = (await of.post('/webhooks', { url: receiver.url })).body;
  const order = await handedOver(stack); // its events are delivered
  const driver = await driverWithOrders(stack);
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
  ];
  return { applications, stop: () => receiver.stop() };
};

/** A driver of a carrier, with an order that is under way and one that is due. */
const driverWithOrders = async (stack: LocalStack): Promise<string> => {
  const { carriers, orders } = operatorClients(stack);
  const name = `Couriers ${Date.now()}`;
  const { carrier } = await carriers.createCarrier({ name, telephone: '+49 30 1234567' });
  const carrierId = carrier!.id;
  const kim = { carrierId, name: 'Kim Driver', telephone: '+49 171 1234567' };
  const driverId = (await carriers.createDriver(kim)).driver!.id;
  await carriers.createDriver({ carrierId, name: 'Robin Rider' });
  for (const minutes of [30, 90]) {
    const pickup_window_start = new Date(Date.now() + minutes * 60_000).toISOString();
    const body = orderBody({ external_id: `D-${minutes}-${Date.now()}`, pickup_window_start });
    const circumstances = { orderId: (await partner(stack).post('/orders', body)).body.id };
    await orders.assignOrder({ circumstances, carrierId });
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driverId });
    if (minutes === 30) await orders.startPickup({ circumstances });
  }
  return driverId;
};

/** An order on its way, with a handover and its file, readings, an incident and an escalation. */
const handedOver = async (stack: LocalStack): Promise<string> => {
  const limits = { temperature_min: 2, temperature_max: 8, notes: 'Ring at the ramp.' };
  const details = { pickup_detail: 'Gate 3, ring twice.', dropoff_detail: 'Night porter.' };
  const items = [{ goods_type: 'blood' }, { goods_type: 'tissue' }];
  const body = orderBody({
    external_id: `H-${Date.now()}`,
    sla: 'EXPRESS',
    items,
    ...limits,
    ...details,
  });
  const orderId = (await partner(stack).post('/orders', body)).body.id as string;
  const { orders } = operatorClients(stack);
  const circumstances = { orderId };
  await orders.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
  await orders.acceptOrder({ circumstances });
  await orders.assignDriver({ circumstances, driver: 'D. Driver' });
  await orders.startPickup({ circumstances });
  await orders.sealOrder({ circumstances, sealIds: ['S-1', 'S-2'] });
  await orders.startTransport({ circumstances });
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
