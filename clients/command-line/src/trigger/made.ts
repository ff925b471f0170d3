/** Events of the sandbox that are not those of a status to which an order is advanced. */
import { wait } from '../../../typescript/src/http/retry.ts';
import type { Client, Order, SandboxStep } from '../../../typescript/src/index.ts';
import { Failed } from '../failure.ts';

/** Maximum time in ms for the courier to take a step, and the pause between two looks. */
const stepMaxMs = 60_000;
const pauseMs = 300;
/** Degrees Celsius of a reading, for an order without limits. */
const usualDegrees = 5;

/** Makes an event of an order happen. @throws Failed if it does not come. */
type Make = (client: Client, id: string, note: string | undefined) => Promise<Order>;

/** How each event is made. */
export const made: Readonly<Record<string, Make>> = {
  'order.incident_reported': (client, id, note = 'An incident of pto trigger.') =>
    byCourier(client, id, { incident: note }, 'incident'),
  'order.escalated': (client, id, note = 'An escalation of pto trigger.') =>
    byCourier(client, id, { escalation: note }, 'escalation'),
  'order.cancelled': (client, id, note = 'Cancelled by pto trigger.') =>
    client.orders.cancel(id, { reason: note }),
  // a reading is the change of an order that its partner can make
  'order.updated': async (client, id) => {
    await client.orders.recordCondition(id, readingOf(await client.orders.get(id)));
    return client.orders.get(id);
  },
};

/** The events that have a text. */
export const noteEvents: readonly string[] = Object.keys(made).filter(
  (event) => event !== 'order.updated',
);

/** Lets the courier take a step, and waits for it. */
const byCourier = async (
  client: Client,
  id: string,
  step: SandboxStep,
  what: string,
): Promise<Order> => {
  const order = await client.sandbox.runScript(id, [step]);
  for (const end = performance.now() + stepMaxMs; performance.now() < end; ) {
    const { run } = await client.sandbox.steps(id);
    if (run?.state === 'done') return order;
    if (run && run.state !== 'running') throw new Failed(`No ${what}: ${run.reason}.`);
    await wait(pauseMs, undefined);
  }
  throw new Failed(`No ${what} within ${stepMaxMs / 1000} s: repeat the command later.`);
};

/** Returns a reading within the order's limits, of a time that the service has given. */
const readingOf = ({ created_at, updated_at, temperature_min, temperature_max }: Order) => {
  const degrees = temperature_min ?? temperature_max ?? usualDegrees;
  return {
    device_id: 'pto-trigger',
    unit: 'celsius',
    media_type: 'text/csv',
    readings: `time,value\n${updated_at ?? created_at},${degrees}\n`,
  } as const;
};
