import { orderStatuses } from '@pto/proto/vocabulary';
import { boolean, integer } from '../validation/numbers.ts';
import { count, openEnum, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  nullable,
  optional,
  parameters,
} from '../validation/schema.ts';
import { string, uuid } from '../validation/texts.ts';
import { pageLimit } from './pages.ts';
import { eventName } from './webhooks.ts';

/** The longest wait of `GET /events`, in seconds (decision 65). */
export const waitMaxSeconds = 25;

export const eventQuery = parameters({
  after: described(
    optional(integer({ ge: 0, le: Number.MAX_SAFE_INTEGER }), 0),
    '`number` of the last event that you have processed; 0 begins with the first event. It does not expire. A number beyond the newest event is a 422 whose `ctx` has the `newest` one.',
  ),
  feed: described(
    optional(string({ max: 64 })),
    '`feed` of the page that had the number. If the number is of another feed, such as that of another organization, the response is a 422.',
  ),
  limit: pageLimit('events'),
  wait: described(
    optional(integer({ ge: 0, le: waitMaxSeconds }), 0),
    'Maximum time in seconds that the request waits for an event, if there is none after `after`.',
  ),
});

export const occurredAt = described(
  timestamp(),
  'Time of the event; equals `ts_utc` of the custody entry.',
);

/** The order of an event (contract 6.5; decision 42). */
export const eventOrder = model('WebhookEventOrder', {
  id: uuid(),
  external_id: nullable(string()),
  status: openEnum(
    'WebhookOrderStatus',
    orderStatuses.map((status) => status.toLowerCase()),
    'Status of the order after the event, in lower case.',
  ),
  updated_at: described(timestamp(), 'Time of the last change of the order.'),
  sequence: described(
    count(),
    "Number of the event among its order's events. Together with `id` it identifies the event: process each pair once. A delayed event is still valid, so never drop an event because its number is lower than one that you have. Only the newest status is that of the highest number.",
  ),
});

export const eventCustody = model('WebhookEventCustody', {
  sequence: described(count(), "Position of the entry in the order's custody chain."),
  head_hash: described(string(), 'The `event_hash` of that entry.'),
});

export const eventLinks = model('WebhookEventLinks', {
  order: described(string(), 'URL of the order in this API.'),
});

/** An event of the feed: what a webhook carries, and the entry's place and hashes (decision 68). */
const feedEvent = model('FeedEvent', {
  number: described(
    count(),
    "The event's number among those of your organization: 1, 2, 3 … without a gap.",
  ),
  event: eventName,
  occurred_at: occurredAt,
  data: model('FeedEventData', { order: eventOrder, custody: eventCustody }),
  links: eventLinks,
  custody: described(
    model('FeedEventEntry', {
      id: uuid(),
      leaf_index: described(count(), "Index of the entry's leaf in the log, from 0."),
      prev_event_hash: string(),
      event_hash: string(),
    }),
    'The custody entry. The log contains it if the `checkpoint` covers more than `leaf_index` leaves.',
  ),
});

export const eventPage = model('EventPage', {
  data: list(feedEvent),
  next_after: described(
    count(),
    '`after` of the next request, also if this page is empty. Store it after you have processed the page.',
  ),
  feed: described(string(), 'Identifies the feed: store it beside `next_after`, and send both.'),
  has_more: described(boolean(), 'Whether there were events after this page.'),
  as_of: described(
    timestamp(),
    'This page and those after it contain every event that was placed in the log before this time.',
  ),
  checkpoint: described(
    maybe(string()),
    'The newest signed checkpoint of the log (C2SP tlog-checkpoint); null before the first one.',
  ),
});
