import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { EgressError } from '../egress-error.ts';
import type { EgressPolicy } from './policy.ts';
import { disguisedRanges, globalUnicastV6, rejectedRanges } from './rejected-ranges.ts';

type Address = IPv4 | IPv6;
type Range = readonly [Address, number];
type Verb = 'is' | 'resolves to';

const parsed = (ranges: readonly (readonly [string, string])[]) =>
  ranges.map(([cidr, name]) => ({ range: ipaddr.parseCIDR(cidr) as Range, name }));

const disguised = parsed(disguisedRanges);
const rejected = parsed(rejectedRanges);
const global = ipaddr.parseCIDR(globalUnicastV6) as Range;

/**
 * Judges whether a socket may connect to this address and port (decision 44).
 * @param address as a socket or a DNS lookup prints it; any other text is rejected.
 * @param verb `resolves to` if the address was looked up for a name.
 * @returns why the connection is rejected, or null if it is allowed.
 */
export const judgeAddress = (
  address: string,
  port: number,
  policy: EgressPolicy,
  verb: Verb = 'is',
): string | null => {
  if (!ipaddr.isValid(address)) return 'is not a valid IP address';
  const ip = ipaddr.parse(address);
  const disguise = disguised.find(({ range }) => within(ip, range));
  if (disguise) return rejectionOf(verb, disguise.name);
  if (policy.allow.some((a) => within(ip, a.range) && (a.port ?? port) === port)) return null;
  const match = rejected.find(({ range }) => within(ip, range));
  if (match) return rejectionOf(verb, match.name);
  if (ip.kind() === 'ipv6' && !within(ip, global)) return rejectionOf(verb, 'non-global');
  return policy.only443 && port !== 443 ? 'must use port 443' : null;
};

/** Checks an address like `judgeAddress`. @throws EgressError egress_refused if it is rejected. */
export const rejectBad = (
  address: string,
  port: number,
  policy: EgressPolicy,
  verb: Verb = 'is',
): void => {
  const fault = judgeAddress(address, port, policy, verb);
  if (fault) throw new EgressError('egress_refused', fault);
};

const within = (ip: Address, [network, bits]: Range): boolean =>
  ip.kind() === network.kind() && ip.match(network as never, bits);

const rejectionOf = (verb: Verb, name: string): string =>
  `${verb} a${/^(?:[IEO]|uns)/i.test(name) ? 'n' : ''} ${name} address`;
