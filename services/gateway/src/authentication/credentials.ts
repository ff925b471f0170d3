import { BlockList } from 'node:net';
import { isScope, type Scope } from '@pto/access';
import { type Given, type Sql, statement } from '@pto/database';
import { tables } from '../schema/tables.ts';

/** A known key with its organization, and what the key may do. */
export interface Credentials {
  readonly keyId: string;
  readonly organization: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly scopes: ReadonlySet<Scope>;
  /** Requests per minute; null: the gateway's default. */
  readonly limits: { readonly reads: number | null; readonly writes: number | null };
  /** Milliseconds since the epoch; Infinity: the key does not expire. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** Client addresses that may use the key; null: any address (decision 60). */
  readonly allowedFrom: BlockList | null;
}

const selectKeys = statement((given: Given<{ hashes: readonly Buffer[] }>) =>
  tables
    .selectFrom('api_keys as k')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .select(['k.hash', 'k.id', 'k.scopes', 'k.expires_at', 'k.reads_per_minute'])
    .select(['k.writes_per_minute', 'k.allowed_cidrs', 'o.id as organization_id'])
    .select(['o.name', 'o.enabled'])
    .select(({ eb }) => eb('k.revoked_at', 'is not', null).$castTo<boolean>().as('revoked'))
    .where(({ eb, fn }) => eb('k.hash', '=', fn.any(given.hashes))),
);

type Row = Awaited<ReturnType<typeof selectKeys>>[number];

/**
 * Looks up keys by their hashes, in one statement.
 * @returns the credentials of the known keys, by the hash in base64.
 */
export const findCredentials = async (
  sql: Sql,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, Credentials>> => {
  const rows = await selectKeys(sql, { hashes });
  return new Map(rows.map((row) => [row.hash.toString('base64'), credentialsOf(row)]));
};

const credentialsOf = (row: Row): Credentials => ({
  keyId: row.id,
  organization: { id: row.organization_id, name: row.name, enabled: row.enabled },
  scopes: new Set(row.scopes.filter(isScope)),
  limits: { reads: row.reads_per_minute, writes: row.writes_per_minute },
  expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
  revoked: row.revoked,
  allowedFrom: row.allowed_cidrs && rangesOf(row.allowed_cidrs),
});

/** Returns stored CIDRs as a BlockList, in which client addresses are looked up. */
export const rangesOf = (cidrs: readonly string[]): BlockList => {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    ranges.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return ranges;
};
