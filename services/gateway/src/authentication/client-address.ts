import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** An IPv4 address written inside an IPv6 one is that IPv4 address. */
const read = (text: string): Address | undefined =>
  isIP(text) === 0 ? undefined : ipaddr.process(text);

/** Whether the peer of a connection is a trusted proxy. */
export const isTrustedProxy = (peer: string | undefined, trusted: BlockList): boolean => {
  const address = read(peer ?? '');
  return address !== undefined && isIn(trusted, address);
};

const isIn = (ranges: BlockList, address: Address): boolean =>
  ranges.check(plain(address), address.kind());

/**
 * An entry of `X-Forwarded-For`. Some proxies add the port, and then write IPv6 in brackets; some
 * quote it as `Forwarded` does (RFC 7239, 6): `1.2.3.4:567`, `[2001:db8::1]:443`, `"[2001:db8::1]"`.
 */
const readHop = (entry: string): Address | undefined => {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return read(bracketed ?? v4 ?? text);
};

/**
 * A request's client: the peer, or, where the peer is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy itself; what a client writes there stands further
 * to the left. Undefined where the peer has gone already.
 */
const clientOf = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): Address | undefined => {
  const hops = (forwardedFor ?? '').split(',');
  let address = read(peer ?? '');
  while (address && isIn(trusted, address)) {
    const hop = readHop(hops.pop() ?? '');
    if (!hop) break;
    address = hop;
  }
  return address;
};

type Client = Parameters<typeof clientOf>;

/**
 * Returns the name by which a client is counted, empty where the peer has gone already. An IPv6
 * client is its /64, because that is the least that one household is given.
 */
export const clientAddress = (...client: Client): string => {
  const address = clientOf(...client);
  return address ? countedAs(address) : '';
};

/** Whether a client's own address is in the ranges; false where the peer has gone already. */
export const isClientIn = (ranges: BlockList, ...client: Client): boolean => {
  const address = clientOf(...client);
  return address !== undefined && isIn(ranges, address);
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
