import { createBatches } from '@pto/concurrency';
import {
  type ArrayOf,
  type Database,
  expressionBuilder,
  fragment,
  type Given,
  statement,
  type Transaction,
  textArray,
  unnestNumbered,
  uuidArray,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import { keyName } from '../idempotency/scope.ts';
import { addressKey } from '../locations/address-key.ts';
import { locationObject } from '../locations/location-row.ts';
import { tables } from '../schema/tables.ts';
import { tryChange } from './change-time.ts';
import { insertOrders } from './insert-orders.ts';
import type { Creation, LocatedCreation } from './new-order.ts';
import type { ResolvedStop } from './stops.ts';

/** An order with more items is created alone, so that it does not delay others. */
const itemsMax = 100;

/** Creates an order together with others. @returns its JSON, or null if it must be created alone. */
export type CreateTogether = (creation: Creation) => Promise<Buffer | null>;

/**
 * Returns a function that creates orders; its concurrent calls share a transaction. A batch takes
 * only locks that are free and waits for no poll, so a creation does not delay its neighbours. A
 * creation that cannot succeed at once has no effect and gets null: its key is in use or has a
 * response, its external_id is taken, an address is new. If the transaction fails, all get null.
 * @throws Failure SERVICE_UNAVAILABLE if the database is unavailable. It is then unknown whether
 *   the transaction was committed, so the creations must not be repeated here.
 */
export const sharedCreate = ({ db, sign }: { db: Database; sign: Sign }): CreateTogether => {
  const create = createBatches<Creation, Buffer | null>(
    async (creations) => {
      const bodies = await db
        .transaction((tx) => createAll(tx, sign, creations))
        .catch((error): ReadonlyMap<Creation, Buffer> => {
          if (error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE') throw error;
          return new Map();
        });
      return (creation) => bodies.get(creation) ?? null;
    },
    { inFlightMax: 2, batchMax: 32, waitingMax: 1024 },
  );
  return async (creation) =>
    creation.request.goodsTypes.length > itemsMax ? null : create(creation);
};

/** @returns the JSON of the orders that were created. */
const createAll = async (
  tx: Transaction,
  sign: Sign,
  creations: readonly Creation[],
): Promise<ReadonlyMap<Creation, Buffer>> => {
  const located = await lockAndLocate(tx, firstOfEachKey(creations));
  if (located.length === 0) return new Map();
  const bodies = await insertOrders(
    tx,
    sign,
    located.map(({ found }) => found),
  );
  return new Map(
    located.flatMap(({ creation, found }) => {
      const body = bodies.get(found);
      return body ? [[creation, body]] : [];
    }),
  );
};

/** A transaction can take a lock twice, so a second creation with a key must not be in it. */
const firstOfEachKey = (creations: readonly Creation[]): Creation[] => {
  const names = new Set<string>();
  return creations.filter(({ scope }) => {
    if (!scope) return true;
    const name = keyName(scope);
    return !names.has(name) && names.add(name);
  });
};

interface Wanted {
  readonly organization_id: ArrayOf<string>;
  readonly key: ArrayOf<string | null>;
  readonly pickup_id: ArrayOf<string | null>;
  readonly pickup_address: ArrayOf<string | null>;
  readonly dropoff_id: ArrayOf<string | null>;
  readonly dropoff_address: ArrayOf<string | null>;
}

const types = {
  organization_id: 'uuid',
  key: 'text',
  pickup_id: 'text',
  pickup_address: 'text',
  dropoff_id: 'text',
  dropoff_address: 'text',
} as const;

const creationsOf = (given: Given<Wanted>) => tables.selectFrom(unnestNumbered('c', given, types));

/** The location of a stop: the one with its id, or that at its address. */
const locationOf = (wanted: ReturnType<typeof creationsOf>, stop: 'pickup' | 'dropoff') => {
  const { ref, selectFrom } = expressionBuilder(wanted);
  const locations = selectFrom('locations as l')
    .selectAll()
    .whereRef('l.organization_id', '=', 'c.organization_id');
  const address = fragment<Buffer>`decode(${ref(`c.${stop}_address`)}, 'hex')`;
  return locations
    .where('l.id', '=', fragment<string>`${ref(`c.${stop}_id`)}::uuid`)
    .unionAll(locations.where('l.address_key', '=', address));
};

const selectLocated = statement((given: Given<Wanted>) => {
  const wanted = creationsOf(given);
  return wanted
    .crossJoinLateral(locationOf(wanted, 'pickup').as('p'))
    .crossJoinLateral(locationOf(wanted, 'dropoff').as('d'))
    .select(({ cast }) => cast<number>('c.n', 'integer').as('n'))
    .select([locationObject('p').as('pickup'), locationObject('d').as('dropoff')])
    .where(({ eb, fn, lit, or }) => {
      const hash = fn('hashtextextended', ['c.key', lit(0)]);
      return or([eb('c.key', 'is', null), fn<boolean>('pg_try_advisory_xact_lock', [hash])]);
    })
    .where(({ ref }) => tryChange(ref('c.organization_id')));
});

/** @returns the creations whose locks were free and whose locations exist. */
const lockAndLocate = async (
  tx: Transaction,
  creations: readonly Creation[],
): Promise<{ creation: Creation; found: LocatedCreation }[]> => {
  const texts = (of: (creation: Creation) => string | null) => textArray(creations.map(of));
  const rows = await selectLocated(tx, {
    organization_id: uuidArray(creations.map(({ request }) => request.organizationId)),
    key: texts(({ scope }) => (scope ? keyName(scope) : null)),
    pickup_id: texts(({ stops: [pickup] }) => idOf(pickup)),
    pickup_address: texts(({ stops: [pickup] }) => addressOf(pickup)),
    dropoff_id: texts(({ stops: [, dropoff] }) => idOf(dropoff)),
    dropoff_address: texts(({ stops: [, dropoff] }) => addressOf(dropoff)),
  });
  return rows.map(({ n, pickup, dropoff }) => {
    const creation = creations[n - 1]!;
    return { creation, found: { ...creation, pickup, dropoff } };
  });
};

const idOf = (stop: ResolvedStop): string | null => ('id' in stop ? stop.id : null);

const addressOf = (stop: ResolvedStop): string | null =>
  'location' in stop ? addressKey(stop.location).toString('hex') : null;
