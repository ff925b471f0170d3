import { described, model, type Output, optional, string } from '../../validation/index.ts';

/** The header with the idempotency key (contract 4.2; decision 22). */
export const idempotencyHeader = model({
  'Idempotency-Key': described(
    optional(string({ min: 1, max: 255, pattern: /^[\x21-\x7e]+$/ })),
    'Any unique value, such as a UUID; stored for 24 hours. Use a new key for each order, location or endpoint.',
  ),
});

export type IdempotencyHeader = Output<typeof idempotencyHeader>;
