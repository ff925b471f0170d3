import { join } from 'node:path';
import { type Clients, openClients } from '../../../operator/src/clients.ts';
import { readJson, writePrivateJson } from '../secrets/private-file.ts';
import type { OperatorCommand } from './operator-command.ts';

/** A sample partner and its keys. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly keys: Readonly<Record<KeyName, string>>;
}

type KeyName = 'all' | 'read' | 'write' | 'webhooks' | 'rotate';

/** The scopes of each key of an organization. */
export const scopes: Readonly<Record<KeyName, string>> = {
  all: 'orders:read,orders:write,webhooks:manage,keys:rotate',
  read: 'orders:read',
  write: 'orders:write',
  webhooks: 'webhooks:manage',
  rotate: 'keys:rotate',
};

const names = ['Demo Clinic', 'Other Clinic'];
const responseTimeoutMs = 5000;

export const credentialsFile = 'credentials.json';

/**
 * Returns the two organizations of this folder. At the first start, or if the gateway rejects a
 * stored key, creates both organizations and their keys by the operator's RPCs. Stores the keys in
 * the folder, because the gateway stores only their hashes.
 */
export const openOrganizations = async (
  dir: string,
  baseUrl: string,
  operator: OperatorCommand,
  signal: AbortSignal,
): Promise<Organization[]> => {
  const path = join(dir, credentialsFile);
  const kept = readJson<{ organizations: Organization[] }>(path)?.organizations ?? [];
  const good = await Promise.all(kept.map(({ keys }) => isAccepted(baseUrl, keys.all)));
  if (kept.length === names.length && good.every((yes) => yes)) return kept;
  const { access } = openClients({ ...process.env, ...operator.env });
  const organizations = await Promise.all(
    names.map((name) => createOrganization(access, name, signal)),
  );
  writePrivateJson(path, { organizations });
  return organizations;
};

/** Creates an organization with a key for each set of scopes. */
export const createOrganization = async (
  access: Clients['access'],
  name: string,
  signal?: AbortSignal,
): Promise<Organization> => {
  const admins = [`admin@${name.toLowerCase().replaceAll(' ', '-')}.test`];
  const options = signal && { signal };
  const { organization } = await access.createOrganization({ name, admins }, options);
  const { id } = organization!;
  const keys = Object.entries(scopes).map(async ([keyName, list]) => {
    const key = { organizationId: id, name: keyName, scopes: list.split(',') };
    return [keyName, (await access.issueKey(key, options)).secret];
  });
  return { id, name, keys: Object.fromEntries(await Promise.all(keys)) };
};

/**
 * Returns whether the gateway accepts a key. The gateway rejects a key that was created in another
 * server's database.
 */
const isAccepted = async (baseUrl: string, key: string): Promise<boolean> => {
  const response = await fetch(`${baseUrl}/ping`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(responseTimeoutMs),
  });
  await response.body?.cancel();
  return response.status !== 401;
};
