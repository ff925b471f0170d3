import ipaddr from 'ipaddr.js';

/**
 * Parses a network such as `192.0.2.0/28` or `2001:db8::/64`, or one address.
 * @returns the network as a firewall takes it; an address as `/32` or `/128`.
 * @throws Error for any other text, and for an address with bits behind its prefix.
 */
export const parseNetwork = (text: string): string => {
  const fault = new Error('expected networks such as 192.0.2.0/28, 198.51.100.7 or 2001:db8::/64');
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  // the library also reads forms such as 10.1 and 0x7f000001
  if (
    !/^(?:\d+(?:\.\d+){3}|[0-9a-f:]*:[0-9a-f:.]*)\/\d{1,3}$/i.test(cidr) ||
    !ipaddr.isValidCIDR(cidr)
  )
    throw fault;
  const [address, bits] = ipaddr.parseCIDR(cidr);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  if (family.networkAddressFromCIDR(cidr).toString() !== address.toString()) throw fault;
  return `${address}/${bits}`;
};
