import { domainToASCII } from 'node:url';
import { invalid } from '@pto/errors';

const addressesMax = 20;
const localMax = 64;
const domainMax = 190;

/** The dot-atom of RFC 5322: no quotes, comments, groups, lists or spaces. */
const local = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
/** A host name whose last label is no number. */
const domain = new RegExp(`^(${label}\\.)*(?!\\d+$)${label}$`);

/**
 * Verifies administrators' e-mail addresses: at most 20, each one address that every mail server
 * accepts. A domain outside of ASCII becomes Punycode; a local part outside of ASCII would need
 * SMTPUTF8, and a server without it drops the mail.
 * @returns the addresses without duplicates.
 * @throws Failure VALIDATION
 */
export const requireAdministrators = (addresses: readonly string[]): string[] => {
  if (addresses.length > addressesMax)
    throw invalid(['admins'], `at most ${addressesMax} addresses`);
  return [...new Set(addresses.map(normal))];
};

const normal = (address: string): string => {
  const at = address.lastIndexOf('@');
  const before = address.slice(0, Math.max(at, 0));
  // the host parser of URLs would drop or decode some of these characters
  const given = address.slice(at + 1);
  const host = /^[\p{L}\p{M}\p{N}.-]+$/u.test(given) ? domainToASCII(given) : '';
  if (/[^\0-\x7f]/.test(before) && domain.test(host))
    throw invalid(
      ['admins'],
      'the part before @ has letters outside of ASCII, to which many mail servers cannot deliver; use an address in ASCII',
      address,
    );
  if (
    before.length > localMax ||
    !local.test(before) ||
    host.length > domainMax ||
    !domain.test(host)
  )
    throw invalid(['admins'], 'expected one e-mail address, such as ada@clinic.example', address);
  return `${before}@${host}`;
};
