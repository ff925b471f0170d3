/**
 * Ranges that a request to a partner's URL may reach only if WEBHOOKS_EGRESS_ALLOW names them
 * (decision 44), with the word for the error message: the IANA special-purpose registries,
 * multicast, site-local, and the platform address of a cloud provider. address-policy.ts also
 * rejects all other IPv6 outside of 2000::/3; such ranges are here for better error messages.
 */
export const rejectedRanges: readonly (readonly [cidr: string, name: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud platform'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol assignment'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'protocol assignment'],
  ['192.52.193.0/24', 'protocol assignment'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'protocol assignment'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['100::/64', 'discard'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'protocol assignment'],
  ['2620:4f:8000::/48', 'protocol assignment'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
];

/**
 * IPv6 ranges whose addresses contain an IPv4 address. They are always rejected, even if
 * WEBHOOKS_EGRESS_ALLOW names them or the IPv4 address: no receiver needs such an address, and the
 * IPv4 address that the socket would reach is hidden in it.
 */
export const disguisedRanges: readonly (readonly [cidr: string, name: string])[] = [
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['2001::/32', 'Teredo'],
  ['2002::/16', '6to4'],
];

/** The range of global unicast IPv6 addresses: those that are routed on the Internet. */
export const globalUnicastV6 = '2000::/3';
