import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns all addresses of a host name. Rejects with the error of the DNS lookup. */
export type ResolveHost = (host: string) => Promise<readonly LookedUp[]>;

const tryMs = 1200;
const tries = 2;

/**
 * Resolves a name by the hosts file, else by the machine's name servers. It does not use
 * `getaddrinfo`, which occupies one of Node's four threads until its timeout: four unreachable
 * zones would stop all deliveries.
 */
export const resolveHost: ResolveHost = (host) => resolveHostBy(host, []);

/** Resolves like `resolveHost`. @param nameServers as `address:port`; none: the machine's. */
export const resolveHostBy = async (
  host: string,
  nameServers: readonly string[],
): Promise<readonly LookedUp[]> => {
  const local = await hostsFileAddresses(host);
  if (local.length > 0) return local;
  const resolver = new dns.Resolver({ timeout: tryMs, tries });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [...addresses(v4, 4), ...addresses(v6, 6)];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
};

const addresses = (lookUp: PromiseSettledResult<string[]>, family: number): LookedUp[] =>
  lookUp.status === 'fulfilled' ? lookUp.value.map((address) => ({ address, family })) : [];

const loopback: readonly LookedUp[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the addresses of a name in /etc/hosts. Without an entry, `localhost` and names that end
 * in `.localhost` have the loopback addresses.
 */
export const hostsFileAddresses = async (host: string): Promise<readonly LookedUp[]> => {
  const name = host.toLowerCase().replace(/\.$/, '');
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  const found = addressesIn(text, name);
  return found.length === 0 && /^(.+\.)?localhost$/.test(name) ? loopback : found;
};

/** @param name in lower case, without a trailing dot. */
const addressesIn = (hostsFile: string, name: string): LookedUp[] =>
  hostsFile.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const known = names.some((known) => known.toLowerCase() === name);
    return known && isIP(address) !== 0 ? [{ address, family: isIP(address) }] : [];
  });

/** One address of a host name. */
export interface LookedUp {
  readonly address: string;
  /** IP version, 4 or 6. */
  readonly family: number;
}
