import { fromBinary } from '@bufbuild/protobuf';
import type { Bus, Ends } from '@pto/bus';
import {
  type Database,
  fragment,
  type Given,
  insertRows,
  leastUuid,
  statement,
} from '@pto/database';
import { invalid } from '@pto/errors';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { consumerGroups, custodyEventsTopic } from '@pto/proto/topics';
import { lostAttempt } from '../queue/lost-attempt.ts';
import { tables } from '../schema/entities.ts';

/** What must end before a copy is the last one, and how much of it is left. */
export interface Wait {
  readonly what: string;
  readonly count: number;
}

/**
 * Ends the lost leases of an organization as the next claim would, so that no process records a
 * result for them any more.
 */
const endLostLeases = statement((given: Given<{ organizationId: string }>) =>
  tables
    .with(
      (cte) => cte('ended').materialized(),
      (db) =>
        db
          .selectFrom('pending_deliveries')
          .select(['organization_id', 'delivery_id', 'attempts', 'leased_at', 'lease_until'])
          .where('organization_id', '=', given.organizationId)
          .where('lease_until', '<=', fragment<string>`now()`)
          .forUpdate(),
    )
    .with('lost', (db) =>
      insertRows(
        db,
        'attempts',
        ({ selectFrom }) => selectFrom('ended'),
        () => lostAttempt,
      ).onConflict((conflict) => conflict.doNothing()),
    )
    .updateTable('pending_deliveries as p')
    .from('ended as e')
    .set(({ eb, fn, ref }) => ({
      lost: eb('p.lost', '+', 1),
      due_at: fn<string>('greatest', [ref('p.due_at'), ref('p.due_if_lost_at')]),
      lease_owner: null,
      leased_at: null,
      lease_until: null,
      due_if_lost_at: null,
    }))
    .whereRef('p.organization_id', '=', 'e.organization_id')
    .whereRef('p.delivery_id', '=', 'e.delivery_id')
    .returning('p.delivery_id'),
);

const countLeases = statement((given: Given<{ organizationId: string }>) =>
  tables
    .selectFrom('pending_deliveries')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
    .where('organization_id', '=', given.organizationId)
    .where('lease_until', 'is not', null),
);

/** Returns the organization's deliveries that a process attempts. */
export const attemptsInFlight = async (db: Database, organizationId: string): Promise<Wait> => {
  await endLostLeases(db, { organizationId });
  const [row] = await countLeases(db, { organizationId });
  return { what: 'deliveries in flight', count: row!.count };
};

/** Returns the text of the present ends of custody's topic. */
export const noteEnds = async (bus: Bus): Promise<string> => {
  const ends = [...(await bus.ends(custodyEventsTopic))];
  return JSON.stringify(ends.map(([partition, end]) => [partition, `${end}`]));
};

/** @throws Failure VALIDATION for a text that `noteEnds` did not return. */
const parseEnds = (mark: string): Ends => {
  try {
    const ends = JSON.parse(mark) as [number, string][];
    return new Map(ends.map(([partition, end]) => [partition, BigInt(end)]));
  } catch {
    throw invalid(['mark'], 'is not the mark of a Hold', mark);
  }
};

const { dispatcher } = consumerGroups;

/** Returns the messages before the ends that the dispatcher has not handled. */
export const unhandledEvents = async (bus: Bus, ends: string): Promise<Wait> => ({
  what: 'custody events that the dispatcher has not handled',
  count: await bus.lag(dispatcher, custodyEventsTopic, parseEnds(ends)),
});

const pageSize = 500;

/**
 * Returns the dispatcher's parked messages of the organization: an operator replays or discards them
 * before the move. A message that cannot be read counts for every organization.
 */
export const parkedEvents = async (db: Database, organizationId: string): Promise<Wait> => {
  let count = 0;
  for (let after = leastUuid; ; ) {
    const page = await parkedAfter(db, { after });
    count += page.filter(({ value }) => isOf(organizationId, value)).length;
    if (page.length < pageSize)
      return { what: 'dead letters of the dispatcher: replay or discard them', count };
    after = page.at(-1)!.id;
  }
};

const parkedAfter = statement((given: Given<{ after: string }>) =>
  tables
    .selectFrom('dead_letters')
    .select(['id', 'value'])
    .where('consumer', '=', dispatcher)
    .where('topic', '=', custodyEventsTopic)
    .where('replayed_at', 'is', null)
    .where(({ not, ref }) => not(ref('rejected')))
    .where('id', '>', given.after)
    .orderBy('id')
    .limit(pageSize),
);

const isOf = (organizationId: string, value: Uint8Array): boolean => {
  try {
    const { event } = fromBinary(CustodyEventSchema, value);
    return event === undefined || event.organizationId === organizationId;
  } catch {
    return true;
  }
};
