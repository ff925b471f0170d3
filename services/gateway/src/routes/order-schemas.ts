import { orderStatuses, slas } from '@pto/proto/vocabulary';
import {
  boolean,
  choice,
  dateTime,
  integer,
  list,
  model,
  nullable,
  type Output,
  optional,
  string,
  uuid,
} from '../validation/index.ts';

/** Text of at most this many characters, or null; absent means null. */
const text = (max: number, min?: number) =>
  optional(nullable(string({ max, ...(min !== undefined && { min }) })), null);

/** Contract 2.2, Address. */
const address = model({
  street: string({ min: 1, max: 255 }),
  zip: string({ min: 1, max: 20 }),
  city: string({ min: 1, max: 100 }),
  country: optional(string({ max: 10 }), 'DE'),
  label: text(120),
});

const variants = ['location_id', 'address', 'address_text'] as const;

/** Contract 2.2, Endpoint: exactly one of the three; null counts as absent (decision 3). */
const endpoint = model(
  {
    location_id: optional(nullable(uuid()), null),
    address: optional(nullable(address), null),
    address_text: text(500, 3),
  },
  {
    whole: (value, loc, faults, input) => {
      const given = variants.filter((name) => value[name] !== null);
      if (given.length !== 1)
        faults.add('value_error', loc, `Value error, give exactly one of ${variants.join(', ')}`, {
          input,
          ctx: { given },
        });
    },
  },
);
export type Endpoint = Output<typeof endpoint>;

/** Contract 2.2. */
export const orderCreate = model(
  {
    external_id: text(100, 1),
    pickup: endpoint,
    dropoff: endpoint,
    sla: optional(choice(slas), 'STANDARD'),
    pickup_window_start: dateTime(),
    pickup_window_end: optional(nullable(dateTime()), null),
    notes: text(2000),
    pickup_detail: text(500),
    dropoff_detail: text(500),
    items: optional(list(model({ goods_type: string({ min: 1, max: 100 }) })), []),
    goods_type: optional(string({ max: 100 }), ''),
    auto_dispatch: optional(boolean(), true),
  },
  {
    member: {
      // decision 5
      pickup_window_end: (end, { pickup_window_start: start }) =>
        end && start && end.micros < start.micros
          ? 'must not be before pickup_window_start'
          : undefined,
    },
  },
);
export type OrderCreate = Output<typeof orderCreate>;

/** Contract 4.2; decision 22. */
export const idempotencyHeader = model({
  'Idempotency-Key': optional(string({ min: 1, max: 255, pattern: /^[\x21-\x7e]+$/ })),
});

/** Contract 4.3. */
export const orderQuery = model({
  limit: optional(integer({ ge: 1, le: 100 }), 50),
  cursor: optional(string()),
  status: optional(choice(orderStatuses)),
  external_id: optional(string()),
  updated_since: optional(dateTime()),
});

export const orderPath = model({ order_id: uuid() });

/** Contract 4.5. */
export const orderCancel = model({ reason: string({ min: 1, max: 500 }) });
