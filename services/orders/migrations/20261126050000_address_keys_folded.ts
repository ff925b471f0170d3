import { createHash } from 'node:crypto';
import { rowsMigration } from '@pto/database';

interface Address {
  readonly id: string;
  readonly organization_id: string;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
  readonly address_key: Buffer;
}

const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();

const pageSize = 1000;

/**
 * Gives locations the key of their address with case folding, by which Hauptstraße and HAUPTSTRASSE
 * are one address. Where an organization has both, one of them has the key from now on; the other
 * one stays as it is, for the orders that name it. Texts of ASCII alone keep their key.
 */
export const addressKeysFolded = rowsMigration(
  '20261126050000_address_keys_folded',
  async (execute) => {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const page = (await execute(
        `select id, organization_id, street, zip, city, country, address_key from locations
         where id > ? and concat(street, zip, city, country) ~ '[^ -~]' order by id limit ?`,
        [after, pageSize],
      )) as readonly Address[];
      for (const { id, organization_id, street, zip, city, country, address_key } of page) {
        const text = [street, zip, city, country].map(fold).join('\0');
        const key = createHash('sha256').update(text).digest();
        if (key.equals(address_key)) continue; // as for all texts without ß and the like
        await execute(
          `update locations set address_key = ? where id = ? and not exists
             (select 1 from locations where organization_id = ? and address_key = ?)`,
          [key, id, organization_id, key],
        );
      }
      if (page.length < pageSize) return;
      after = page.at(-1)!.id;
    }
  },
);
