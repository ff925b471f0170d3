import type { Backends } from '../backends.ts';
import { json } from '../http/respond.ts';
import { apiKeys, keyPath, keyRotation, rotatedKey } from '../resources/keys.ts';
import { throwFaultsInBody } from '../validation/faults-in-body.ts';
import { route } from './route.ts';

/** The operations on the partner's own keys; additions to contract 4. */
export const keyRoutes = ({ ownKeys }: Pick<Backends, 'ownKeys'>) => [
  route({
    name: 'listKeys',
    method: 'GET',
    path: '/keys',
    scope: 'keys:rotate',
    lane: 'rows',
    response: apiKeys,
    summary: 'List your keys',
    description:
      'The keys of your organization that have not ended, newest first, at most 500: those whose scopes your key has, all of them, and whose client addresses it may use. Without the keys themselves.',
    handle: async ({ secret, read }) => {
      const { keys } = await ownKeys.listOwnKeys({ secret: secret() }, read);
      return json(
        keys.map(({ key, replacedBy, rotatable }) => {
          const { id, name, scopes, last4, createdAt, expiresAt, lastUsedAt } = key!;
          return {
            ...{ id, name: name || null, scopes, last4, created_at: createdAt },
            ...{ expires_at: expiresAt || null, last_used_at: lastUsedAt || null },
            allowed_cidrs: key!.allowedCidrs.length > 0 ? key!.allowedCidrs : null,
            ...{ replaced_by: replacedBy || null, rotatable },
          };
        }),
      );
    },
  }),
  route({
    name: 'rotateKey',
    method: 'POST',
    path: '/keys/:key_id/rotate',
    scope: 'keys:rotate',
    idempotent: true,
    schemas: { path: keyPath, body: keyRotation },
    response: rotatedKey,
    rejections: ['KEY_ROTATION_NOT_ALLOWED'],
    summary: 'Rotate a key',
    description:
      'Issues a key with the name, scopes, client addresses and limits of one of `listKeys`, which ends after the overlap, or at its own end if that is earlier, and with it its links and sessions of the portal. Your key must not end before it. A key is rotated again only after the end of the one that it replaced. Send an `Idempotency-Key` to retry safely: for 24 hours the same key with the same body gets the same response, the new key included, with `Idempotency-Replayed: true`.',
    handle: async ({ secret, path, body, idempotency, call }) => {
      const { id, newSecret, previousExpiresAt, replayed } = await ownKeys
        .rotateOwnKey(
          { secret: secret(), id: path.key_id, overlapSeconds: body.overlap, ...idempotency },
          call,
        )
        .catch(throwFaultsInBody);
      return json(
        { id, key: newSecret, previous_expires_at: previousExpiresAt },
        replayed ? { 'Idempotency-Replayed': 'true' } : {},
      );
    },
  }),
];
