import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RolePasswords } from '@pto/database/provision';
import { readJson, writePrivateJson } from './private-file.ts';

/** Secrets that each cell has of its own. */
export interface CellSecrets {
  /** Ed25519 seed of the log's signing key, 32 bytes in base64. */
  readonly custodySigningKey: string;
  /** Key that signs the auditor's state, 32 bytes in base64. */
  readonly auditorStateKey: string;
  /** Key rings: comma-separated `id:base64`. */
  readonly ordersCustodyKeys: string;
  readonly custodyWebhooksKeys: string;
  /** Key of the sandbox drivers' phones, 32 bytes in base64. */
  readonly courierDeviceKey: string;
}

/**
 * The secrets of a local stack's folder. The keys and passwords are created once, because later
 * starts must decrypt earlier data.
 */
export interface Secrets extends CellSecrets {
  /** An operator's personal token with all roles; empty until the first start has issued one. */
  readonly personalToken: string;
  /** Key of list cursors, 32 bytes in base64. */
  readonly ordersCursorKey: string;
  /** Key rings: comma-separated `id:base64`. All cells have them, so that organizations can move. */
  readonly webhooksSecretKeys: string;
  readonly artifactsKeys: string;
  /** Those of the cells besides the main one. */
  readonly cells: Readonly<Record<string, CellSecrets>>;
  /** Passwords of the roles of each database. */
  readonly databases: Readonly<Record<string, RolePasswords>>;
}

export const secretsFile = 'secrets.json';

/** Database in which the operators service has its own role. */
const operatorsDatabase = 'access';

/** Returns the folder's secrets. Missing ones are created and stored. */
export const openSecrets = (
  dir: string,
  databases: readonly string[],
  cells: readonly string[] = [],
): Secrets => {
  const path = join(dir, secretsFile);
  const kept = readJson<Partial<Secrets>>(path) ?? {};
  const password = () => randomBytes(24).toString('base64url');
  const secrets: Secrets = {
    personalToken: '',
    ordersCursorKey: key(),
    ...newCell(),
    webhooksSecretKeys: `local:${key()}`,
    artifactsKeys: `local:${key()}`,
    ...kept,
    cells: {
      ...kept.cells,
      ...Object.fromEntries(cells.map((cell) => [cell, { ...newCell(), ...kept.cells?.[cell] }])),
    },
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

/** Stores a personal token that was issued. */
export const keepPersonalToken = (dir: string, secrets: Secrets, personalToken: string): void =>
  writePrivateJson(join(dir, secretsFile), { ...secrets, personalToken });

const key = (): string => randomBytes(32).toString('base64');

const newCell = (): CellSecrets => ({
  custodySigningKey: key(),
  auditorStateKey: key(),
  ordersCustodyKeys: `local:${key()}`,
  custodyWebhooksKeys: `local:${key()}`,
  courierDeviceKey: key(),
});
