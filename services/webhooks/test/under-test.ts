import { afterAll, beforeAll } from '@jest/globals';
import { type Authority, makeAuthority, until } from '@pto/testing';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';
import {
  anOrganization,
  type Replica,
  type Stores,
  startReplica,
  startStores,
} from './webhooks-service.ts';

/** One replica, or several, with receivers that they trust; for the tests of one file. */
export interface UnderTest {
  readonly stores: Stores;
  readonly authority: Authority;
  readonly replicas: readonly Replica[];
  /** The first one. */
  readonly replica: Replica;
  /** A receiver with an endpoint of an organization, by default a new one. */
  endpoint(options?: {
    organizationId?: string;
    answer?: Answer;
    events?: readonly string[];
  }): Promise<TestEndpoint>;
  receiver(answer?: Answer): Promise<Receiver>;
}

export interface TestEndpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

/**
 * Started before the file's first test, stopped after its last one.
 * @param prepare runs before the first replica.
 */
export const underTest = (
  environment: Record<string, string> = {},
  replicaCount = 1,
  prepare: (stores: Stores) => Promise<void> = async () => {},
): UnderTest => {
  const started = { replicas: [] as Replica[] } as {
    stores: Stores;
    authority: Authority;
    replicas: Replica[];
  };
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    started.authority = makeAuthority();
    started.stores = await startStores();
    await prepare(started.stores);
    started.replicas = []; // a file that is repeated starts again
    receivers.length = 0;
    for (let n = 0; n < replicaCount; n++)
      started.replicas.push(
        await startReplica(started.stores, {
          WEBHOOKS_CA_FILE: started.authority.caFile,
          ...environment,
        }),
      );
  });
  afterAll(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(started.replicas.map((replica) => replica.stop()));
    await started.stores.stop();
    started.authority.forget();
  });
  const receiver = async (answer: Answer = 204) => {
    const one = await startReceiver(started.authority, { answer });
    receivers.push(one);
    return one;
  };
  return {
    get stores() {
      return started.stores;
    },
    get authority() {
      return started.authority;
    },
    get replicas() {
      return started.replicas;
    },
    get replica() {
      return started.replicas[0]!;
    },
    receiver,
    endpoint: async ({ organizationId = anOrganization(), answer, events } = {}) => {
      const own = await receiver(answer);
      const { endpoint, secret } = await started.replicas[0]!.webhooks.createEndpoint({
        organizationId,
        url: own.url,
        ...(events && { eventFilter: { events: [...events] } }),
      });
      return { id: endpoint!.id, organizationId, secret, receiver: own };
    },
  };
};

/** The endpoint's deliveries, oldest first, once there are so many in that state. */
export const deliveriesOf = (
  { deliveries }: Replica,
  endpointId: string,
  state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED',
  count = 1,
) =>
  until(
    async () => {
      const page = await deliveries.listDeliveries({ endpointId, state });
      return page.deliveries.length >= count ? page.deliveries.toReversed() : undefined;
    },
    { what: `${count} deliveries ${state}` },
  );

/** How many deliveries have not ended, of all endpoints. */
export const pendingCount = async ({ superuser }: Stores): Promise<number> =>
  (await superuser.query<{ n: number }>('select count(*)::int as n from pending_deliveries'))[0]!.n;
