import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { EgressError } from '../egress-error.ts';
import type { EgressPolicy } from './policy.ts';
import { disguisedRanges, globalUnicastV6, rejectedRanges } from './rejected-ranges.ts';

type Address = IPv4 | IPv6;
type Range = readonly [Address, number];

const parsed = (ranges: readonly (readonly [string, string])[]) =>
  ranges.map(([cidr, name]) => ({ range: ipaddr.parseCIDR(cidr) as Range, name }));

const disguised = parsed(disguisedRanges);
const rejected = parsed(rejectedRanges);
const global = ipaddr.parseCIDR(globalUnicastV6) as Range;

/**
 * Whether a socket may connect to this address and port (decision 44).
 * @param address as a socket or a look-up prints it; anything else is rejected.
 * @returns null where it may, else why not.
 */
export const judgeAddress = (
  address: string,
  port: number,
  policy: EgressPolicy,
): string | null => {
  if (!ipaddr.isValid(address)) return 'leads to no address';
  const ip = ipaddr.parse(address);
  const disguise = disguised.find(({ range }) => within(ip, range));
  if (disguise) return leadsTo(disguise.name);
  if (policy.allow.some((a) => within(ip, a.range) && (a.port ?? port) === port)) return null;
  const match = rejected.find(({ range }) => within(ip, range));
  if (match) return leadsTo(match.name);
  if (ip.kind() === 'ipv6' && !within(ip, global)) return leadsTo('non-global');
  return policy.only443 && port !== 443 ? 'must use port 443' : null;
};

/** The same as an error. @throws EgressError egress_refused. */
export const rejectBad = (address: string, port: number, policy: EgressPolicy): void => {
  const fault = judgeAddress(address, port, policy);
  if (fault) throw new EgressError('egress_refused', fault);
};

const within = (ip: Address, [network, bits]: Range): boolean =>
  ip.kind() === network.kind() && ip.match(network as never, bits);

const leadsTo = (name: string): string =>
  `leads to a${/^(?:[IEO]|uns)/i.test(name) ? 'n' : ''} ${name} address`;
