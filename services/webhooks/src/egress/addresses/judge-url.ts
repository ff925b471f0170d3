import { isIP } from 'node:net';
import { judgeAddress } from './judge-address.ts';
import type { EgressPolicy } from './policy.ts';

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
const hostOf = (url: URL): string => url.hostname.replace(/[[\]]/g, '');

/** Returns the port of a URL, 443 if the URL names none. */
const portOf = (url: URL): number => (url.port === '' ? 443 : Number(url.port));
