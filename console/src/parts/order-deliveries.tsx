import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Attempts, type ShownAttempt } from './attempts.tsx';
import { Badge } from './badge.tsx';
import { NotReadAgain, Waiting } from './pending.tsx';
import { shortId } from './short-id.ts';
import { type Column, Rows } from './table.tsx';
import { Text } from './text.tsx';
import { Time } from './time.tsx';

/** A delivery as both audiences see it. */
export interface ShownDelivery {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly endpointId: string;
  /** Host and path; empty: not stored. */
  readonly address: string;
  /** Empty: the endpoint exists. */
  readonly deletedAt: string;
  readonly attempts: readonly ShownAttempt[];
  /** Empty: no attempt follows. */
  readonly dueAt: string;
  readonly createdAt: string;
}

interface Deliveries {
  readonly deliveries: readonly ShownDelivery[];
  readonly hasMore: boolean;
}

const columns: readonly Column<ShownDelivery>[] = [
  ['Event', ({ event }) => event],
  ['State', ({ state }) => <Badge of={state} />],
  ['Attempts', ({ attempts }) => <Attempts of={attempts} />],
  ['Next attempt', ({ dueAt }) => (dueAt === '' ? '' : <Time at={dueAt} />)],
  ['Queued', ({ createdAt }) => <Time at={createdAt} />],
];

/** Whether the partner was told: the order's deliveries, with a line for each endpoint. */
export const OrderDeliveries = ({
  query,
  order,
}: {
  query: UseQueryResult<Deliveries>;
  order: { readonly hasEvents: boolean; readonly changedAt: string };
}) => {
  const groups = query.data && [
    ...Map.groupBy(query.data.deliveries, ({ endpointId }) => endpointId).values(),
  ];
  return (
    <section aria-label="Deliveries">
      <h2>Deliveries</h2>
      {groups ? (
        <NotReadAgain query={query} />
      ) : (
        <Waiting label="Loading Deliveries" query={query} />
      )}
      {groups?.length === 0 && <p className="empty">{nothing(order)}</p>}
      {groups?.map((of) => (
        <Group key={of[0]!.endpointId} of={of} all={groups} />
      ))}
      {query.data?.hasMore && <p className="faint">The order has more; these are the newest.</p>}
    </section>
  );
};

const retentionMs = 30 * 86_400_000;

/** Why nothing is listed, about the time of the events. Deliveries are stored for 30 days. */
const nothing = ({ hasEvents, changedAt }: { hasEvents: boolean; changedAt: string }): string => {
  if (!hasEvents) return 'Nothing was sent for this order: it is a draft, without an event.';
  if (Date.now() - Date.parse(changedAt) > retentionMs)
    return 'Deliveries are stored for 30 days, and the last event of this order is older.';
  return 'Nothing was sent for this order: no endpoint that was verified and enabled at the time of its events subscribed to them.';
};

/** The deliveries to one endpoint under its host and path. */
const Group = ({
  of,
  all,
}: {
  of: readonly ShownDelivery[];
  all: readonly (readonly ShownDelivery[])[];
}) => {
  const { endpointId, address, deletedAt } = of[0]!;
  const isAmbiguous = all.some(
    ([other]) => other!.endpointId !== endpointId && other!.address === address,
  );
  const name = <Text of={address || shortId(endpointId)} />;
  return (
    <>
      <h3 className="endpoint">
        {deletedAt === '' ? <Link href={`/endpoints/${endpointId}`}>{name}</Link> : name}
        {isAmbiguous && <span className="faint">{shortId(endpointId)}</span>}
        {[...Map.groupBy(of, ({ state }) => state)].map(([state, { length }]) => (
          <span key={state} className="faint">
            {length} {state.toLowerCase()}
          </span>
        ))}
        {deletedAt !== '' && (
          <span className="faint">
            endpoint deleted <Time at={deletedAt} />
          </span>
        )}
      </h3>
      <Rows
        of={of}
        id={({ id }) => id}
        columns={columns}
        caption={`Deliveries to ${address}`}
        empty=""
      />
    </>
  );
};
