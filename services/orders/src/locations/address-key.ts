import { createHash } from 'node:crypto';
import type { StructuredAddress } from '../geocoding/geocoder.ts';

const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** Returns the key by which an organization's addresses are unique (decision 12): 32 bytes. */
export const addressKey = ({ street, zip, city, country }: StructuredAddress): Buffer =>
  createHash('sha256').update([street, zip, city, country].map(fold).join('\0')).digest();
