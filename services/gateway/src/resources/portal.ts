import { scopes } from '@pto/access';
import { boolean, integer } from '../validation/numbers.ts';
import { timestamp } from '../validation/response-only.ts';
import { described, list, model, nullable, optional } from '../validation/schema.ts';
import { choice, string, uuid } from '../validation/texts.ts';
import { endpointId } from './webhooks.ts';

/** Bounds of a link's `expires_in`, in seconds: at most 12 h (decision 69). */
const [lastsMin, lastsMax, lastsDefault] = [300, 12 * 3600, 3600];

/** What a link to the portal permits (decision 69). */
export const portalLinkCreate = model('PortalLinkCreate', {
  scopes: described(
    optional(nullable(list(choice(scopes, 'KnownScope'), { min: 1 })), null),
    'Scopes of the session, at most those of your key; null: all of your key but `keys:rotate`.',
  ),
  read_only: described(optional(boolean(), false), 'true: the session reads only.'),
  endpoint_id: described(
    optional(nullable(endpointId), null),
    'The session may use this endpoint alone, for which your key needs `webhooks:manage`.',
  ),
  expires_in: described(
    optional(integer({ ge: lastsMin, le: lastsMax }), lastsDefault),
    'Seconds from now to the end of the session.',
  ),
});

/** A link to the portal. Only the response that creates it contains its URL. */
export const portalLink = model('PortalLink', {
  id: uuid(),
  url: described(
    string(),
    'Give it to one person, who opens it once. The code behind `#` is a secret.',
  ),
  opens_until: described(timestamp(), 'The link can be opened until then, at most for an hour.'),
  expires_at: described(timestamp(), 'The end of the session.'),
  scopes: list(string()),
  read_only: boolean(),
  endpoint_id: nullable(uuid()),
});
