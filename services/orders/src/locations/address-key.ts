import { createHash } from 'node:crypto';
import type { StructuredAddress } from '../geocoding/geocoder.ts';

/** Case folding: upper case makes SS of ß, and lower case before it ß of ẞ. */
const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * Returns the hash of a normalized address, 32 bytes. An organization has at most one location with
 * the same hash (decision 12).
 */
export const addressKey = ({ street, zip, city, country }: StructuredAddress): Buffer =>
  createHash('sha256').update([street, zip, city, country].map(fold).join('\0')).digest();
