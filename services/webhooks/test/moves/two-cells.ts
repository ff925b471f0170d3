import { afterAll, beforeAll } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import { type Answer, type Receiver, startReceiver } from '../receiver.ts';
import { type Replica, type Stores, startReplica, startStores } from '../webhooks-service.ts';

export interface Cell extends Replica {
  readonly stores: Stores;
}

/** Two cells with stores of their own and the same keys, and receivers that both trust. */
export interface TwoCells {
  readonly a: Cell;
  readonly b: Cell;
  receiver(answer?: Answer): Promise<Receiver>;
}

/** Started before the file's first test, stopped after its last one. */
export const twoCells = (
  environment: Record<string, string> = {},
  ofB: Record<string, string> = {},
): TwoCells => {
  const cells: Cell[] = [];
  const receivers: Receiver[] = [];
  let authority: Authority;
  beforeAll(async () => {
    authority = makeAuthority();
    cells.length = 0; // a file that is repeated starts again
    for (const own of [{}, ofB]) {
      const stores = await startStores();
      const replica = await startReplica(stores, {
        WEBHOOKS_CA_FILE: authority.caFile,
        ...environment,
        ...own,
      });
      cells.push({ ...replica, stores });
    }
  }, 60_000);
  afterAll(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    for (const { stop, stores } of cells) {
      await stop();
      await stores.stop();
    }
    authority.forget();
  });
  return {
    get a() {
      return cells[0]!;
    },
    get b() {
      return cells[1]!;
    },
    receiver: async (answer: Answer = 204) => {
      const one = await startReceiver(authority, { answer });
      receivers.push(one);
      return one;
    },
  };
};
