import { hash } from 'node:crypto';
import { Failure, invalid, valueError } from '@pto/errors';
import type {
  ListOrganizationEventsResponse,
  OrganizationEvent,
} from '@pto/proto/custody/v1/custody';
import { eventCustodyJson, eventJson } from '@pto/representation';
import type { Backends } from '../backends.ts';
import { json } from '../http/respond.ts';
import { eventPage, eventQuery } from '../resources/events.ts';
import { route } from './route.ts';

/** Time in ms after its wait in which custody must have responded. */
const waitGraceMs = 2000;

/**
 * The event feed (decisions 65 and 68); an addition to contract 4.
 * @param publicBaseUrl URL of the API, for links to orders.
 */
export const eventRoutes = (
  { custody }: Pick<Backends, 'custody'>,
  publicBaseUrl: string,
  environment: string,
) => [
  route({
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    scope: 'orders:read',
    schemas: { query: eventQuery },
    lane: 'rows',
    response: eventPage,
    summary: 'List the events of all orders',
    description:
      "All custody events of your organization, oldest first, for partners without a webhook endpoint or beside one. The order is that of the ledger's log: an event that is committed late has a higher number than those before it, so you miss none if you continue after the last number that you have. No event comes twice. With `wait`, a request that finds no event waits for one; it responds with an empty page after that time, and earlier if too many requests of your organization wait. A waiting request counts as one read.",
    handle: async ({ organizationId, query, read, wait }) => {
      const { after, limit, wait: seconds } = query;
      const feed = feedOf(environment, organizationId);
      if (query.feed !== undefined && query.feed !== feed)
        throw invalid(
          ['query', 'feed'],
          'the number is of another feed; send after=0 without feed',
          query.feed,
        );
      const request = { organizationId, after: BigInt(after), limit };
      const page = await custody.listOrganizationEvents(request, read);
      requireWithin(after, page);
      if (page.events.length > 0 || seconds === 0)
        return json(pageJson(page, after, feed, publicBaseUrl));
      const waitMs = seconds * 1000;
      const again = await wait(async (signal) => {
        const deadline = performance.now() + waitMs + waitGraceMs;
        const awaited = { organizationId, after: request.after, logSize: page.logSize, waitMs };
        return (await custody.waitForOrganizationEvents(awaited, { ...read, deadline, signal }))
          .found;
      });
      const newest = again ? await custody.listOrganizationEvents(request, again) : page;
      return json(pageJson(newest, after, feed, publicBaseUrl));
    },
  }),
];

/** Returns what identifies the numbers of a feed: those of another one are as small as its own. */
const feedOf = (environment: string, organizationId: string): string =>
  hash('sha256', `feed\n${environment}\n${organizationId}`).slice(0, 16);

/**
 * Requires a number that the feed has, or 0 (decision 77). A page after any other one would be empty
 * until the feed had as many events, and then leave out all before.
 * @throws Failure VALIDATION with the newest number
 */
const requireWithin = (after: number, { newest }: ListOrganizationEventsResponse): void => {
  if (newest === undefined || after <= newest) return;
  const reason = `the feed has ${newest} events; the number is of another feed`;
  const fault = valueError(['query', 'after'], reason, `${after}`);
  const detail = [{ ...fault, ctx: { error: reason, newest: Number(newest) } }];
  throw new Failure('VALIDATION', 'The request is invalid.', { details: { detail } });
};

const pageJson = (
  page: ListOrganizationEventsResponse,
  after: number,
  feed: string,
  publicBaseUrl: string,
) => ({
  data: page.events.map((event) => feedEventJson(event, publicBaseUrl)),
  next_after: Number(page.events.at(-1)?.number ?? after),
  feed,
  has_more: page.hasMore,
  as_of: page.asOf,
  checkpoint: page.checkpoint ?? null,
});

const feedEventJson = (event: OrganizationEvent, publicBaseUrl: string) => ({
  number: Number(event.number),
  ...eventJson(
    {
      event: event.type,
      occurredAt: event.tsUtc,
      order: {
        id: event.orderId,
        externalId: event.externalId ?? null,
        status: event.orderStatus,
        updatedAt: event.orderUpdatedAt || event.tsUtc,
        sequence: event.sequence,
      },
    },
    publicBaseUrl,
    eventCustodyJson(event.sequence, event.eventHash),
  ),
  custody: {
    id: event.id,
    leaf_index: Number(event.leafIndex),
    prev_event_hash: event.prevEventHash,
    event_hash: event.eventHash,
  },
});
