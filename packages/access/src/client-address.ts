import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/**
 * Parses an IP address. An IPv4-mapped IPv6 address becomes the IPv4 address. Undefined for any
 * other text.
 */
const read = (text: string): Address | undefined =>
  isIP(text) === 0 ? undefined : ipaddr.process(text);

/** Returns whether the peer of a connection is a trusted proxy. */
export const isTrustedProxy = (peer: string | undefined, trusted: BlockList): boolean => {
  const address = read(peer ?? '');
  return address !== undefined && isIn(trusted, address);
};

const isIn = (ranges: BlockList, address: Address): boolean =>
  ranges.check(plain(address), address.kind());

/**
 * Reads one entry of `X-Forwarded-For`. Some proxies add the port, and then write IPv6 in brackets;
 * some quote the entry as `Forwarded` does (RFC 7239, 6): `1.2.3.4:567`, `[2001:db8::1]:443`,
 * `"[2001:db8::1]"`.
 */
const readHop = (entry: string): Address | undefined => {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return read(bracketed ?? v4 ?? text);
};

/**
 * Returns a request's client address: the peer's address. If the peer is a trusted proxy, the
 * client address is the last entry of `X-Forwarded-For` that is not a trusted proxy; the client can
 * write only entries before that one. If that entry is missing or is no address, the trusted proxy
 * after it counts as the client. Undefined if the peer has disconnected.
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

export type Client = Parameters<typeof clientOf>;

/**
 * Returns the name by which a client is counted; empty if the peer has disconnected. An IPv6 client
 * is counted by its /64, the smallest block that a household gets.
 */
export const clientAddress = (...client: Client): string => {
  const address = clientOf(...client);
  return address ? countedAs(address) : '';
};

/** Returns whether a client's own address is in the ranges; false if the peer has disconnected. */
export const isClientIn = (ranges: BlockList, ...client: Client): boolean => {
  const address = clientOf(...client);
  return address !== undefined && isIn(ranges, address);
};

/**
 * Returns the address as text without the zone, because a BlockList finds no address with a zone.
 */
const plain = (address: Address): string => address.toNormalizedString().replace(/%.*/, '');

const countedAs = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : plain(address);
