import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { LookedUp } from './looked-up.ts';

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
