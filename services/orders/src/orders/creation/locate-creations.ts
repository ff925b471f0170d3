import {
  type ArrayOf,
  expressionBuilder,
  fragment,
  type Given,
  statement,
  type Transaction,
  textArray,
  unnestNumbered,
  uuidArray,
} from '@pto/database';
import { keyName } from '../../idempotency/scope.ts';
import { addressKey } from '../../locations/address-key.ts';
import { locationObject } from '../../locations/location-row.ts';
import { tables } from '../../schema/tables.ts';
import { tryChange } from '../change-time.ts';
import type { Creation, LocatedCreation } from './new-order.ts';
import type { ResolvedStop } from './stops.ts';

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

/** Selects the location of a stop: by the id if the stop has one, else by the address key. */
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

/**
 * Takes the locks of idempotency keys and organizations without waiting, and reads the locations of
 * the stops.
 * @returns the creations whose locks were free and whose two locations exist.
 */
export const lockAndLocate = async (
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
