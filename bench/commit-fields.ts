/**
 * R13: what commitments to personal fields cost (decision 70), against the same texts in open fields,
 * which are hashed as they are: custody's appends alone, of entries that all have two commitments,
 * and an order's events from their announcement by orders to their entries. `node
 * bench/commit-fields.ts`.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingMessage } from '@pto/bus';
import { type Database, migrate } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import type { OrderFields } from '@pto/representation';
import { testDatabase } from '@pto/testing';
import { migrations as custodyMigrations } from '../services/custody/migrations/index.ts';
import { appendEvents } from '../services/custody/src/chain/append.ts';
import { migrations as ordersMigrations } from '../services/orders/migrations/index.ts';
import { emitEvents } from '../services/orders/src/changes/emit-events.ts';
import { signAsCustody, signAsOrders } from './append/order-event.ts';
import { compare, type Side } from './measuring/ratio.ts';
import { openSilently } from './measuring/silent-database.ts';
import { withStores } from './with-stores.ts';

const eventCount = 2304;
const batch = 64;
const goal = 'at least 0.85';

/** The payload's fields of the events of an order's life: the fourth one has a person and a phone. */
const life = (person: string, phone: string) =>
  Array.from({ length: 9 }, (_, n) => (n === 3 ? [person, phone] : ['temperature']));

/** Events of new orders, each with the next of these lists of fields. */
const announced = (fields: readonly (readonly string[])[], count: number) =>
  Array.from({ length: count }, (_, n) => ({
    order: {
      id: randomUUID(),
      organizationId: randomUUID(),
      status: 'SUBMITTED',
      sequence: 1,
      updatedAt: '2026-01-15T09:30:00.000Z',
    } as OrderFields,
    announcement: {
      type: 'order.updated',
      internalType: 'ORDER_UPDATED',
      tsUtc: '2026-01-15T09:30:00.000Z',
      position: null,
      payload: Object.fromEntries(
        fields[n % fields.length]!.map((field) => [field, 'R. Kern, +49 30 450 50']),
      ),
    },
  }));

const openMigrated = async (name: string, migrations: Parameters<typeof migrate>[1]) => {
  const { ownerUrl, serviceUrl } = await testDatabase(name);
  await migrate(ownerUrl, migrations);
  return openSilently(serviceUrl, { poolMax: 4 });
};

/** What both sides of a comparison do with the events of a round; `emitEvents` counts if `whole`. */
const side = (
  name: string,
  { orders, custody }: Stores,
  fields: readonly (readonly string[])[],
  whole: boolean,
): Side => {
  const announceAll = async (): Promise<IncomingMessage[][]> => {
    const batches: IncomingMessage[][] = [];
    for (let done = 0; done < eventCount; done += batch) {
      const messages: IncomingMessage[] = [];
      const sign: Sign = (message) => {
        const signed = signAsOrders(message);
        messages.push({ ...(signed as unknown as OutgoingMessage), partition: 0, offset: '0' });
        return signed;
      };
      await orders.transaction((tx) => emitEvents(tx, sign, announced(fields, batch)));
      batches.push(messages);
    }
    return batches;
  };
  const append = async (batches: readonly IncomingMessage[][]) => {
    for (const messages of batches)
      await custody.transaction((tx) => appendEvents(messages, tx, signAsCustody));
    return { operations: eventCount };
  };
  let prepared: IncomingMessage[][] = [];
  return {
    name,
    prepare: async () => {
      if (!whole) prepared = await announceAll();
    },
    round: async () => append(whole ? await announceAll() : prepared),
  };
};

interface Stores {
  readonly orders: Database;
  readonly custody: Database;
}

const openStores = async (): Promise<Stores> => {
  const [orders, custody] = await Promise.all([
    openMigrated('orders', ordersMigrations),
    openMigrated('custody', custodyMigrations),
  ]);
  return { orders, custody };
};

await withStores(async () => {
  const [ours, theirs] = await Promise.all([openStores(), openStores()]);
  const both = (whole: boolean, committing: readonly string[][], without: readonly string[][]) =>
    [
      side('commitments', ours, committing, whole),
      side('open fields', theirs, without, whole),
    ] as const;
  try {
    await compare(
      'R13: appends of entries with two commitments each, 64 at a time',
      ...both(false, [['person', 'phone']], [['reference', 'place']]),
      { goal },
    );
    await compare(
      "R13: an order's events, of which one has two commitments, announced and appended",
      ...both(true, life('person', 'phone'), life('reference', 'place')),
      { goal },
    );
  } finally {
    await Promise.all(
      [ours, theirs].flatMap(({ orders, custody }) => [orders.close(), custody.close()]),
    );
  }
});
