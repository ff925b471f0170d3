import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { EgressError } from './egress-error.ts';
import { disguisedRanges, globalUnicastV6, rejectedRanges } from './rejected-ranges.ts';

type Address = IPv4 | IPv6;
/** A CIDR: the network and the number of its bits. */
type Range = readonly [Address, number];

/**
 * Addresses that requests may reach although they are not public, on `port`; if `port` is
 * undefined, on any port.
 */
export interface AllowedRange {
  readonly range: Range;
  readonly port: number | undefined;
}

/** Which addresses and ports requests may reach: public addresses, and those of `allow`. */
export interface EgressPolicy {
  /** Ranges that are allowed although they are not public (WEBHOOKS_EGRESS_ALLOW). */
  readonly allow: readonly AllowedRange[];
  /**
   * True in production: requests may only use port 443, except for the addresses and ports of
   * `allow`.
   */
  readonly only443: boolean;
}

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

/**
 * Characters that a URL parser drops or encodes without an error: the stored URL must be the URL
 * that is called.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Z}]/u;

/**
 * Judges a webhook's URL without a DNS lookup (contract 2.5, decision 44). A host name is judged
 * later, by the addresses that it resolves to (guarded-connect.ts).
 * @returns why the URL is rejected, in words for the partner, or null if it is accepted.
 */
export const judgeUrl = (text: string, policy: EgressPolicy): string | null => {
  if (!/^https:\/\/[^/\\]/i.test(text)) return 'must be an HTTPS URL';
  if (invisible.test(text)) return 'must not contain spaces or invisible characters';
  if (!URL.canParse(text)) return 'is not a valid URL';
  const url = new URL(text);
  // the text is checked, not the parsed URL: the parser drops an @ that follows empty credentials
  if (/^https:\/\/[^/?#\\]*@/i.test(text)) return 'must not contain credentials';
  if (text.includes('#')) return 'must not contain a fragment';
  // Node's parser reads a backslash as a slash, RFC 3986 as a part of the credentials
  if (/^[^?]*\\/.test(text)) return 'must not contain a backslash before its query';
  const port = portOf(url);
  if (port === 0) return 'must not use port 0';
  const host = hostOf(url);
  if (isIP(host) !== 0) return judgeAddress(host, port, policy);
  const portIsOpen =
    !policy.only443 || port === 443 || policy.allow.some((a) => (a.port ?? port) === port);
  return portIsOpen ? null : 'must use port 443';
};

/** Returns the host name or address of a parsed URL, an IPv6 address without its brackets. */
export const hostOf = (url: { readonly hostname: string }): string =>
  url.hostname.replace(/[[\]]/g, '');

/** Returns the port of a URL, 443 if the URL names none. */
const portOf = (url: URL): number => (url.port === '' ? 443 : Number(url.port));

const shapes = [
  /^\[(?<address>[0-9a-f:.]+)(?:\/(?<bits>\d{1,3}))?\](?::(?<port>\d{1,5}))?$/i,
  /^(?<address>[\d.]+)(?:\/(?<bits>\d{1,2}))?(?::(?<port>\d{1,5}))?$/,
  /^(?<address>[0-9a-f:]+:[0-9a-f:.]*)(?:\/(?<bits>\d{1,3})(?::(?<port>\d{1,5}))?)?$/i,
];

/**
 * Parses one entry of WEBHOOKS_EGRESS_ALLOW: `127.0.0.0/8`, `10.1.2.3:8443`, `::1/128` or
 * `[::1/128]:8443`.
 * @throws Error with the expected form.
 */
export const parseAllowedRange = (text: string): AllowedRange => {
  const found = shapes.map((shape) => shape.exec(text)?.groups).find((groups) => groups);
  const { address = '', bits, port } = found ?? {};
  const family = isIP(address);
  const bitsMost = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? bitsMost : Number(bits);
  const portNumber = port === undefined ? undefined : Number(port);
  const portHolds = portNumber === undefined || (portNumber >= 1 && portNumber <= 65_535);
  if (family === 0 || prefix > bitsMost || !portHolds)
    throw new Error('expected CIDRs such as 127.0.0.0/8, 10.1.2.3:8443, ::1/128 or [::1/128]:8443');
  return { range: [ipaddr.parse(address), prefix], port: portNumber };
};
