import { type BlockList, isIP } from 'node:net';

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Whom a request comes from: the peer, or, where the peer is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy itself.
 */
export const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string => {
  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
  let address = plain(peer ?? '');
  const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim()));
  while (isTrusted(address) && hops.length > 0) {
    const hop = hops.pop()!;
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
};
