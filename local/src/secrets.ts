import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RolePasswords } from '@pto/database/provision';
import { readJson, writePrivateJson } from './private-file.ts';

/** What the local stack of this folder keeps secret. Made once: later starts must open what earlier ones sealed. */
export interface Secrets {
  /** An operator's personal token with all roles; empty until the first start has issued it. */
  readonly personalToken: string;
  /** 32 bytes in base64. */
  readonly ordersCursorKey: string;
  /** Ed25519 seed, 32 bytes in base64. */
  readonly custodySigningKey: string;
  /** Signs what the auditor stores: 32 bytes in base64. */
  readonly auditorStateKey: string;
  /** Key rings, `id:base64`, comma list. */
  readonly webhooksSecretKeys: string;
  readonly ordersCustodyKeys: string;
  readonly custodyWebhooksKeys: string;
  /** Of each database's roles. */
  readonly databases: Readonly<Record<string, RolePasswords>>;
}

export const secretsFile = 'secrets.json';

/** Whose operator gateway has a role of its own. */
const operatorsDatabase = 'access';

/** The folder's secrets; what is missing is made and kept. */
export const openSecrets = (dir: string, databases: readonly string[]): Secrets => {
  const path = join(dir, secretsFile);
  const kept = readJson<Partial<Secrets>>(path) ?? {};
  const password = () => randomBytes(24).toString('base64url');
  const secrets: Secrets = {
    personalToken: '',
    ordersCursorKey: key(),
    custodySigningKey: key(),
    auditorStateKey: key(),
    webhooksSecretKeys: `local:${key()}`,
    ordersCustodyKeys: `local:${key()}`,
    custodyWebhooksKeys: `local:${key()}`,
    ...kept,
    databases: {
      ...kept.databases,
      ...Object.fromEntries(
        databases.map((name) => [
          name,
          {
            ownerPassword: password(),
            servicePassword: password(),
            readerPassword: password(),
            ...(name === operatorsDatabase && { operatorsPassword: password() }),
            ...kept.databases?.[name],
          },
        ]),
      ),
    },
  };
  writePrivateJson(path, secrets);
  return secrets;
};

/** Stores the personal token that was issued. */
export const keepPersonalToken = (dir: string, secrets: Secrets, personalToken: string): void =>
  writePrivateJson(join(dir, secretsFile), { ...secrets, personalToken });

const key = (): string => randomBytes(32).toString('base64');
