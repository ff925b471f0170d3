import { invalid } from '@pto/errors';
import ipaddr from 'ipaddr.js';

const cidrsMax = 50;

/**
 * Reads a key's allowed client addresses (decision 60): at most 50 CIDRs. A bare address is a range
 * of one address.
 * @returns each range's network, such as 192.0.2.0/24, without duplicates.
 * @throws Failure VALIDATION
 */
export const requireCidrs = (texts: readonly string[]): string[] => {
  if (texts.length > cidrsMax) throw invalid(['allowed_cidrs'], `at most ${cidrsMax}`);
  return [...new Set(texts.map(normal))];
};

/**
 * Whether every address of these CIDRs is in one of the others; null: any address. CIDRs that only
 * together contain one are not seen.
 */
export const areWithin = (cidrs: readonly string[] | null, others: readonly string[] | null) => {
  if (others === null) return true;
  if (cidrs === null) return false;
  const outer = others.map((one) => ipaddr.parseCIDR(one));
  return cidrs.every((cidr) => {
    const [network, prefix] = ipaddr.parseCIDR(cidr);
    return outer.some(
      ([of, length]) =>
        of.kind() === network.kind() && length <= prefix && network.match(of, length),
    );
  });
};

const normal = (text: string): string => {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr))
    return `${ipaddr.IPv4.networkAddressFromCIDR(cidr)}/${prefixOf(cidr)}`;
  if (!ipaddr.IPv6.isValidCIDR(cidr) || text.includes('%'))
    throw invalid(['allowed_cidrs'], 'expected CIDRs such as 192.0.2.0/24 or 2001:db8::/48', text);
  const network = ipaddr.IPv6.networkAddressFromCIDR(cidr);
  // an IPv4-mapped client address counts as IPv4, so an IPv6 range within the mapped addresses
  // would never match a client
  if (network.isIPv4MappedAddress())
    throw invalid(
      ['allowed_cidrs'],
      'an IPv4 range in IPv6 form; write it as IPv4, such as 192.0.2.0/24',
      text,
    );
  // a BlockList matches every IPv4 address if a range contains the IPv4-mapped addresses
  if (firstMapped.match(network, prefixOf(cidr)))
    throw invalid(
      ['allowed_cidrs'],
      'contains all IPv4 addresses; for all of IPv6 write 2000::/3',
      text,
    );
  return `${network}/${prefixOf(cidr)}`;
};

const firstMapped = ipaddr.IPv6.parse('::ffff:0:0');

const prefixOf = (cidr: string): number => Number(cidr.split('/')[1]);
