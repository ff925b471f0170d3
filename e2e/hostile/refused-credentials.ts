import { newApiKey } from '../../services/gateway/src/access/api-key.ts';
import type { Scope } from '../../services/gateway/src/access/scopes.ts';
import { type Mesh, operator } from '../mesh.ts';

/** A way not to be let in, and what must be answered to it. */
export interface Refused {
  readonly name: string;
  /** The values of the Authorization headers; undefined where this route has no such case. */
  headersFor(scope: Scope | null): readonly string[] | undefined;
  readonly status: number;
  readonly code: string;
}

/** Issues what is needed for every kind of credentials that lets nobody in (decisions 16 to 18). */
export const refusedCredentials = async (mesh: Mesh): Promise<Refused[]> => {
  const [{ id: organization, keys } = { id: '', keys: undefined }] = mesh.file().organizations;
  const all = 'orders:read,orders:write,webhooks:manage';
  const run = async (...words: string[]): Promise<Record<string, string>> => {
    const { code, json, stderr } = await operator(mesh, ...words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return json;
  };
  const issue = (org: string) => run('key', 'issue', '--org', org, '--scopes', all);
  const [revoked, replaced, disabled] = await Promise.all([
    issue(organization),
    issue(organization),
    run('org', 'create', '--name', 'Disabled Clinic', '--disabled').then(({ id }) => issue(id!)),
  ]);
  await run('key', 'revoke', revoked.id!);
  await run('key', 'rotate', replaced.id!, '--overlap', '0s');

  const good = keys!.all;
  const is401 = (name: string, code: string, ...headers: string[]): Refused => ({
    name,
    code,
    status: 401,
    headersFor: () => headers,
  });
  const bearer = (key: string) => `Bearer ${key}`;
  const wrongSum = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
  /** For each scope a key that has another one instead. */
  const lacking = {
    'orders:read': keys!.write,
    'orders:write': keys!.read,
    'webhooks:manage': keys!.read,
  };
  return [
    is401('missing', 'MISSING_API_KEY'),
    is401('not Bearer', 'INVALID_API_KEY', `Basic ${good}`),
    is401('malformed', 'INVALID_API_KEY', 'Bearer svc_test_no'),
    is401('checksum', 'INVALID_API_KEY', bearer(wrongSum)),
    is401('unknown', 'INVALID_API_KEY', bearer(newApiKey('sandbox'))),
    is401('revoked', 'API_KEY_REVOKED', bearer(revoked.key!)),
    is401('expired', 'API_KEY_EXPIRED', bearer(replaced.key!)),
    is401('environment', 'API_KEY_WRONG_ENVIRONMENT', bearer(newApiKey('production'))),
    is401('two headers', 'INVALID_API_KEY', bearer(good), bearer(good)),
    {
      name: 'disabled',
      status: 403,
      code: 'ORGANIZATION_NOT_ENABLED',
      headersFor: () => [bearer(disabled.key!)],
    },
    {
      name: 'scope',
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      headersFor: (scope) => (scope === null ? undefined : [bearer(lacking[scope])]),
    },
  ];
};
