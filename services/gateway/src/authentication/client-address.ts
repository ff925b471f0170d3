import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** An IPv4 address written inside an IPv6 one is that IPv4 address. */
const read = (text: string): Address | undefined =>
  isIP(text) === 0 ? undefined : ipaddr.process(text);

/**
 * Whom a request comes from: the peer, or, where the peer is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy itself; what a client writes there stands further
 * to the left. An IPv6 client is its /64, because that is the least that one household is given.
 * @returns a name to count by, empty where the peer has gone already.
 */
export const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string => {
  const isTrusted = (address: Address) => trusted.check(plain(address), address.kind());
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
  let address = read(peer ?? '');
  while (address && isTrusted(address)) {
    const hop = read(hops.pop() ?? '');
    if (!hop) break;
    address = hop;
  }
  return address ? countedAs(address) : '';
};

/** Without the zone, in which BlockList finds nothing. */
const plain = (address: Address): string => address.toNormalizedString().replace(/%.*/, '');

const countedAs = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : plain(address);
