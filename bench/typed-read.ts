/**
 * A read of one row by its id: the statement built and compiled for each read, or once, against the
 * same statement as text. `node bench/typed-read.ts`
 */

import { execute, type Given, migrate, openDatabase, statement, uuidv7 } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../services/orders/migrations/index.ts';
import { locationColumns } from '../services/orders/src/locations/location-row.ts';
import { tables } from '../services/orders/src/schema/tables.ts';
import { compare, type Side } from './measuring/ratio.ts';
import { withStores } from './with-stores.ts';

const readsPerRound = 500;
const build = (id: string) =>
  tables.selectFrom('locations').select(locationColumns).where('id', '=', id);
const once = statement((given: Given<{ id: string }>) =>
  tables.selectFrom('locations').select(locationColumns).where('id', '=', given.id),
);
const text = `select ${locationColumns.join(', ')} from locations where id = $1`;

await withStores(async () => {
  const database = await testDatabase('bench');
  await migrate(database.ownerUrl, migrations);
  const db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 2,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'bench', write: () => {} }),
  });
  const id = uuidv7();
  await execute(
    db,
    tables.insertInto('locations').values({
      id,
      organization_id: id,
      label: 'Lab',
      street: 'Hauptstr. 1',
      zip: '10115',
      city: 'Berlin',
      country: 'DE',
      address_key: Buffer.alloc(32),
      created_via_api: true,
    }),
  );
  const side = (name: string, read: () => Promise<unknown>): Side => ({
    name,
    round: async () => {
      for (let n = 0; n < readsPerRound; n++) await read();
      return readsPerRound;
    },
  });
  const asText = side('text', () => db.query(text, [id]));
  const builtEach = side('built each time', () => execute(db, build(id)));
  await compare('reads by id, built each time, against text', builtEach, asText);
  const builtOnce = side('built once', () => once(db, { id }));
  await compare('reads by id, built once, against text', builtOnce, asText);
  const building = side('building', async () => build(id).compile());
  await compare('building and compiling alone, against reads of text', building, asText);
  await db.close();
  await database.drop();
});
