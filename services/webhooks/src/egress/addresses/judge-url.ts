import { isIP } from 'node:net';
import { judgeAddress } from './judge-address.ts';
import type { EgressPolicy } from './policy.ts';

/** Anything that a URL parser would drop in silence: what is stored must be what is called. */
const invisible = /[\p{Cc}\p{Cf}\p{Z}]/u;

/**
 * What can be said against a webhook's URL without asking anybody (contract 2.5, decision 44). A
 * name is judged later, by the addresses that it leads to.
 * @returns null where nothing speaks against it, else why not, for people.
 */
export const judgeUrl = (text: string, policy: EgressPolicy): string | null => {
  if (!/^https:\/\/[^/\\]/i.test(text)) return 'must be an HTTPS URL';
  if (invisible.test(text)) return 'must not hold spaces or invisible characters';
  if (!URL.canParse(text)) return 'must be an HTTPS URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || authority(text).includes('@'))
    return 'must not hold credentials';
  if (text.includes('#')) return 'must not hold a fragment';
  // we read it as a slash, RFC 3986 as a part of the host's credentials
  if (/^[^?]*\\/.test(text)) return 'must not hold a backslash before its query';
  const port = portOf(url);
  if (port === 0) return 'must not use port 0';
  const host = hostOf(url);
  if (isIP(host) !== 0) return judgeAddress(host, port, policy);
  const portIsOpen =
    !policy.only443 || port === 443 || policy.allow.some((a) => (a.port ?? port) === port);
  return portIsOpen ? null : 'must use port 443';
};

/** The name or address of a parsed URL, IPv6 without its brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** 443 where the URL names none. */
const portOf = (url: URL): number => (url.port === '' ? 443 : Number(url.port));

const authority = (text: string): string => /^https:\/\/([^/?#\\]*)/i.exec(text)?.[1] ?? '';
