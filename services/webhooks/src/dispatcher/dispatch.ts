import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import {
  type ArrayOf,
  anyOf,
  bulkStatement,
  fragment,
  insertFromArrays,
  type Placeholders,
  statement,
  type Transaction,
  uuidv7,
  uuidv7Sql,
} from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { eraseResponses } from '../deliveries/erase-responses.ts';
import type { NewDelivery } from '../queue/enqueue.ts';
import { deliveryPayload, eventBody } from '../queue/payload.ts';
import { enqueueOrQuarantine, quarantinedStreams } from '../queue/quarantine.ts';
import { holdBack } from '../rehearsal/hold-back.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import { tables } from '../schema/entities.ts';
import { nextSequences } from '../streams/next-sequences.ts';

/**
 * Queues one delivery of each custody event for each subscribed endpoint of the order's
 * organization, in the given transaction and in the order of the messages. Stores the events of
 * organizations with endpoints, so that an endpoint can recover these events later. Erases what
 * receivers answered about orders whose personal data was erased.
 * @param isAlone after a failed attempt: a delivery that the database rejects must not affect the
 *   others.
 * @param rehearses whether rehearsals hold deliveries back; true in the sandbox alone.
 */
export const dispatchEvents = async (
  messages: readonly IncomingMessage[],
  tx: Transaction,
  { publicBaseUrl, rehearses }: { readonly publicBaseUrl: string; readonly rehearses: boolean },
  isAlone: boolean,
): Promise<void> => {
  const announced = messages.map((message) => fromBinary(CustodyEventSchema, message.value));
  await eraseResponses(tx, announced);
  const organizations = new Set(announced.map((custody) => custody.event!.organizationId));
  const orders = new Set(announced.map((custody) => custody.event!.orderId));
  const [quarantined, endpoints] = await Promise.all([
    quarantinedStreams(tx.withNext, organizations, orders),
    selectEndpoints(tx, { organizationIds: [...organizations] }),
  ]);
  if (endpoints.length === 0) return;
  const byOrganization = Map.groupBy(endpoints, ({ organizationId }) => organizationId);
  const events = announced.flatMap((custody): KeptEvent[] => {
    const { id: eventId, orderId, organizationId, type: event } = custody.event!;
    if (!byOrganization.has(organizationId)) return [];
    const body = eventBody(custody, publicBaseUrl);
    return [{ organizationId, orderId, eventId, event, body }];
  });
  await keepEvents(tx, events);
  const wanted = events.flatMap((event) =>
    byOrganization
      .get(event.organizationId)!
      .filter((endpoint) => wants(endpoint, event.event))
      .map((endpoint) => ({ event, endpoint })),
  );
  const deliveries = await numbered(tx, wanted);
  await enqueueOrQuarantine(tx, deliveries, quarantined, isAlone);
  if (rehearses) await holdBack(tx, deliveries, rehearsalsOf(endpoints));
};

/** An event that is stored so that an endpoint can recover it. */
interface KeptEvent {
  readonly organizationId: string;
  readonly orderId: string;
  readonly eventId: string;
  readonly event: string;
  /** The body of a delivery, without the number in the endpoint's stream. */
  readonly body: string;
}

const insertEvents = bulkStatement(
  { organizationId: 'uuid', orderId: 'uuid', eventId: 'uuid', event: 'text', body: 'text' },
  (rows) =>
    insertFromArrays(tables, 'events', tables.selectFrom(rows('e')), ({ ref }) => ({
      id: uuidv7Sql(fragment<string>`now()`, fragment<number>`${ref('e.n')}::int - 1`),
      organization_id: ref('e.organizationId'),
      order_id: ref('e.orderId'),
      event_id: ref('e.eventId'),
      event: ref('e.event'),
      body: ref('e.body'),
    })),
);

/**
 * Stores events in the given order. The time in an event's id (UUIDv7) is that of its `created_at`.
 */
export const keepEvents = async (tx: Transaction, events: readonly KeptEvent[]): Promise<void> => {
  if (events.length > 0) await insertEvents(tx.pipelined, events);
};

/**
 * Makes deliveries with the next numbers of their endpoints' streams. An endpoint that was deleted
 * meanwhile gets no delivery.
 */
const numbered = async (
  tx: Transaction,
  wanted: readonly { event: KeptEvent; endpoint: Subscriber }[],
): Promise<NewDelivery[]> => {
  const groups = Map.groupBy(wanted, ({ endpoint }) => endpoint.id);
  const counts = [...groups].map(([id, [first, ...others]]) => {
    return { organizationId: first!.event.organizationId, id, count: 1 + others.length };
  });
  const next = await nextSequences(tx, counts);
  return wanted.flatMap(({ event: { body, ...event }, endpoint }) => {
    const sequence = next.get(endpoint.id);
    if (sequence === undefined) return [];
    next.set(endpoint.id, sequence + 1);
    return [
      {
        ...event,
        id: uuidv7(),
        endpointId: endpoint.id,
        payload: deliveryPayload(body, sequence),
        sequence,
        replayOf: null,
        generation: endpoint.generation,
      },
    ];
  });
};

interface Subscriber {
  readonly id: string;
  readonly organizationId: string;
  /** Names of the events that the endpoint receives; null: all events. */
  readonly eventFilter: readonly string[] | null;
  readonly generation: number;
  /**
   * Whether events are queued for the endpoint now: it is not disabled, and either ENABLED or
   * within the deadline for the verification of a changed URL.
   */
  readonly open: boolean;
  /** Of the last rehearsal; null if there was none. */
  readonly speed: number | null;
  /** Faults of the active rehearsal; null if there is none. */
  readonly faults: readonly string[] | null;
}

/** Returns the active rehearsals by endpoint id. */
const rehearsalsOf = (endpoints: readonly Subscriber[]): Map<string, Rehearsal> =>
  new Map(
    endpoints.flatMap(({ id, speed, faults }) =>
      faults === null ? [] : [[id, { speed: speed ?? 1, faults }]],
    ),
  );

/** Selects the endpoints of organizations, in any status. */
const selectEndpoints = statement((given: Placeholders<{ organizationIds: ArrayOf<string> }>) =>
  tables
    .selectFrom('endpoints')
    .select(({ and, eb, not, or, ref }) => [
      'id',
      'organization_id as organizationId',
      'event_filter as eventFilter',
      'generation',
      'rehearsal_speed as speed',
      fragment<string[] | null>`case when ${ref('rehearsal_ends_at')} > now()
        then ${ref('rehearsal_faults')} end`.as('faults'),
      and([
        not(ref('disabled')),
        or([
          eb('status', '=', 'ENABLED'),
          and([
            eb('status', '=', 'PENDING_VERIFICATION'),
            fragment<boolean>`coalesce(${ref('verify_by')} > now(), false)`,
          ]),
        ]),
      ])
        .$castTo<boolean>()
        .as('open'),
    ])
    .where('organization_id', '=', anyOf(given.organizationIds, 'uuid'))
    .orderBy('id'),
);

const wants = (subscriber: Subscriber, event: string): boolean =>
  subscriber.open && (subscriber.eventFilter === null || subscriber.eventFilter.includes(event));
