import { boolean, integer } from '../validation/numbers.ts';
import { timestamp } from '../validation/response-only.ts';
import { described, list, maybe, model, optional, parameters } from '../validation/schema.ts';
import { string, uuid } from '../validation/texts.ts';

export const keyPath = parameters({ key_id: described(uuid(), 'The `id` of the key.') });

/** Keys of the organization that have not ended. */
export const apiKeys = list(
  model('ApiKey', {
    id: uuid(),
    name: maybe(string()),
    scopes: list(string()),
    last4: described(string(), 'The last four characters of the key.'),
    created_at: timestamp(),
    expires_at: described(maybe(timestamp()), 'The end of the key; null: none is set.'),
    last_used_at: described(maybe(timestamp()), 'To the minute.'),
    allowed_cidrs: described(
      maybe(list(string())),
      'Client addresses that may use the key; null: any address.',
    ),
    replaced_by: described(maybe(uuid()), 'The key that a rotation put in its place.'),
    rotatable: described(boolean(), 'Whether you may rotate it now.'),
  }),
);

const day = 86_400;

export const keyRotation = model('KeyRotation', {
  overlap: described(
    optional(integer({ ge: 0, le: 7 * day }), day),
    'Seconds during which the previous key works, too; at least 60 for the key with which you call.',
  ),
});

export const rotatedKey = model('RotatedKey', {
  id: described(uuid(), 'The `id` of the new key.'),
  key: described(string(), 'The new key. No other response contains it.'),
  previous_expires_at: described(timestamp(), 'The end of the previous key.'),
});
