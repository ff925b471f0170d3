import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { inspectable, keptBytes } from '../kept-memory.ts';
import { type Mesh, startMesh } from '../mesh.ts';
import { partner } from '../partner.ts';

const locationCount = 10_000;
const readers = 20;
/** All answers together are about 66 MB; what may be held of each is a page or two. */
const growthMaxBytes = 40 * 1024 * 1024;

let mesh: Mesh;
beforeAll(async () => {
  // more slow readers than one organization has slots for
  mesh = await startMesh({
    kafka: false,
    env: { ...inspectable, GATEWAY_REQUESTS_IN_FLIGHT: '100' },
  });
  const { stores, organizations } = mesh.file();
  const orders = new Client({ connectionString: stores.postgres.orders });
  await orders.connect();
  await orders.query(
    `insert into locations (id, organization_id, label, street, zip, city, country, address_key,
       lat, lng, created_via_api)
     select gen_random_uuid(), $1, 'Ward ' || n, repeat('Straße ', 8) || n, '10117', 'Berlin', 'DE',
       sha256(n::text::bytea), 52.5, 13.4, true
     from generate_series(1, $2::int) n`,
    [organizations[0]!.id, locationCount],
  );
  await orders.end();
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

const kept = () => Promise.all(['gateway', 'orders'].map((name) => keptBytes(mesh, name)));

/** A partner who asks for all locations and does not read on. */
const ask = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { baseUrl, organizations } = mesh.file();
    const headers = { authorization: `Bearer ${organizations[0]!.keys.read}` };
    request(`${baseUrl}/locations`, { headers, agent: false }, resolve).once('error', reject).end();
  });

test('twenty slow readers of 10,000 locations each get them all, and hold up nobody', async () => {
  const client = partner(mesh);
  const whole = await client.get('/locations'); // whatever grows at the first time has grown now
  expect(whole.body).toHaveLength(locationCount);
  const before = await kept();
  const answers = await Promise.all(Array.from({ length: readers }, ask));
  // all that the sockets take has been written when an answer stops growing
  await until(async () => (await client.get('/ping')).status === 200, {
    what: 'an answer beside them',
  });
  const grown = (await kept()).map((bytes, n) => bytes - before[n]!);
  expect(grown.filter((bytes) => bytes > growthMaxBytes)).toEqual([]);
  const bodies = await Promise.all(answers.map((answer) => text(answer)));
  const ids = whole.body.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(ids.toSorted());
  for (const body of bodies) expect(JSON.parse(body)).toEqual(whole.body);
}, 120_000);
