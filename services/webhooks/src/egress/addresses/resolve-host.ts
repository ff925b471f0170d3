import { promises as dns } from 'node:dns';
import { hostsFileAddresses } from './hosts-file.ts';
import type { LookedUp } from './looked-up.ts';

/** All addresses behind a name. Rejects with the look-up's error. */
export type ResolveHost = (host: string) => Promise<readonly LookedUp[]>;

const tryMs = 1200;
const tries = 2;

/**
 * The hosts file, then the name servers, asked directly: the system's own look-up would hold one
 * of four threads until it gives up, so four dead zones would stop everybody's deliveries.
 */
export const resolveHost: ResolveHost = (host) => resolveHostBy(host, []);

/** @param nameServers as `address:port`; none: the machine's own. */
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
