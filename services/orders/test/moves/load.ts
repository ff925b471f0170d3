import { randomUUID } from 'node:crypto';
import { anOrder, bodyOf, charite, keyed, type OrdersUnderTest } from '../orders-service.ts';
import { isFailure } from './failures.ts';

/** What the clients of an organization do until its changes are rejected. */
export interface Load {
  /** The external ids of the orders whose creation was confirmed. */
  readonly created: Set<string>;
  /** Kinds of the failures, each once. */
  readonly failures: Set<string>;
  /** Number of rejected calls. */
  rejected: number;
  /** Ends the clients' calls, and waits for them. */
  stop(): Promise<void>;
}

/** Starts clients that create orders and locations, apply commands and poll, all at once. */
export const startLoad = (under: OrdersUnderTest, organizationId: string): Load => {
  const started = run(under, organizationId);
  running.add(started);
  return started;
};

const running = new Set<Load>();

/** Ends all clients, also those of a test that failed. */
export const stopLoads = async (): Promise<void> => {
  await Promise.all([...running].map((load) => load.stop()));
};

const run = (under: OrdersUnderTest, organizationId: string): Load => {
  const load = { created: new Set<string>(), failures: new Set<string>(), rejected: 0 };
  const ids: string[] = [];
  let goesOn = true;
  const lane = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; goesOn; n++)
      await work(n).catch((error: unknown) => {
        load.failures.add(isFailure(error) ? error.kind : String(error));
        load.rejected++;
      });
  };
  const create = (name: string) => async (n: number) => {
    const externalId = `${name}-${n}`;
    const body = bodyOf(
      await under.orders.createOrder(anOrder({ organizationId, externalId, ...keyed(externalId) })),
    );
    load.created.add(externalId);
    ids.push(body.id);
  };
  const heavy = async (n: number) => {
    const goodsTypes = Array<string>(101).fill('blood');
    const externalId = `heavy-${n}`;
    await under.orders.createOrder(anOrder({ organizationId, externalId, goodsTypes }));
    load.created.add(externalId);
  };
  const lanes = [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => lane(create(name))),
    lane(heavy),
    lane(() =>
      under.locations.createLocation({ organizationId, ...charite, street: `Weg ${randomUUID()}` }),
    ),
    lane((n) => {
      const orderId = ids[n % Math.max(1, ids.length)];
      return orderId === undefined
        ? under.orders.getStatus({})
        : under.commands.updateOrder({
            circumstances: { orderId, commandId: randomUUID() },
            priceTotal: '1.50',
          });
    }),
    lane(() =>
      under.orders.listOrders({
        organizationId,
        limit: 5,
        updatedSince: '2026-01-01T00:00:00.000Z',
      }),
    ),
  ];
  return Object.assign(load, {
    stop: async () => {
      goesOn = false;
      await Promise.all(lanes);
    },
  });
};
