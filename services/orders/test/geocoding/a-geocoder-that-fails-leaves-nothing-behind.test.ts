import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  anOrder,
  charite,
  keyed,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

/** A stranger's server, which does whatever the test wants of it. */
let server: Server;
let behave: RequestListener;
let asked: string[] = [];
let baseUrl: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    behave(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/geo`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const photon = (properties: object, coordinates: unknown = [13.37, 52.52]) =>
  JSON.stringify({ features: [{ geometry: { coordinates }, properties }] });
const nominatim = (address: object, more: object = {}) =>
  JSON.stringify([{ lat: '52.52', lon: '13.37', address, ...more }]);

const kinds = {
  photon: photon({
    street: 'Charitéplatz',
    housenumber: '1',
    postcode: '10117',
    city: 'Berlin',
    countrycode: 'DE',
  }),
  nominatim: nominatim({
    road: 'Charitéplatz',
    house_number: '1',
    postcode: '10117',
    city: 'Berlin',
    country_code: 'de',
  }),
};

const json =
  (text: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);

describe.each(Object.entries(kinds))('%s', (kind, found) => {
  let under: OrdersUnderTest;
  let owner: Client;
  beforeAll(async () => {
    under = await startOrdersService({
      environment: {
        ORDERS_GEOCODER: kind,
        ORDERS_GEOCODER_URL: baseUrl,
        ORDERS_GEOCODER_TIMEOUT: '300ms',
      },
    });
    owner = new Client({ connectionString: under.database.ownerUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await under.stop();
  });

  /** Whatever an attempt could have left. */
  const traces = async (organizationId: string) => {
    const counts: number[] = [];
    for (const table of ['orders', 'locations', 'idempotency']) {
      const text = `select count(*)::int as n from ${table} where organization_id = $1`;
      counts.push((await owner.query(text, [organizationId])).rows[0].n);
    }
    return counts;
  };

  test('a text gets the parts that the server found, a structured address its coordinates', async () => {
    behave = json(found);
    const request = anOrder();
    await under.orders.createOrder(request);
    expect(asked).toHaveLength(2);
    expect(asked.every((path) => path.startsWith('/geo/'))).toBe(true);
    const { locations } = await under.locations.listLocations(request);
    // the text was resolved to the very address that the structured one names
    expect(locations).toMatchObject([{ ...charite, lat: 52.52, lng: 13.37 }]);
  });

  test.each<[string, RequestListener]>([
    ['that answers 500', json('{}', 500)],
    ['that redirects', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['that hangs up', (request) => request.socket.destroy()],
    ['that never answers', () => {}],
    ['that drips', (_, response) => void setInterval(() => response.write(' '), 20).unref()],
    [
      'whose answer has no end',
      (_, response) => {
        const more = () => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', more).on('error', () => {});
        more();
      },
    ],
    ['that answers no JSON', json('<html>')],
    ['that answers null', json('null')],
  ])('a server %s is GEOCODER_UNAVAILABLE, and nothing is kept', async (_, how) => {
    behave = how;
    const request = anOrder(keyed('k'));
    await expect(under.orders.createOrder(request)).rejects.toMatchObject({
      kind: 'GEOCODER_UNAVAILABLE',
      retryAfterSeconds: 5,
    });
    expect(await traces(request.organizationId)).toEqual([0, 0, 0]);
    // the key is free, and a location is made all the same, without coordinates
    const organizationId = request.organizationId;
    const { location } = await under.locations.createLocation({
      organizationId,
      ...charite,
      label: 'L',
    });
    expect([location?.lat, location?.lng]).toEqual([undefined, undefined]);
    behave = json(found);
    expect((await under.orders.createOrder(request)).replayed).toBe(false);
  });

  const nowhere =
    kind === 'photon'
      ? [
          '{}',
          '{"features":[]}',
          '{"features":[null]}',
          '{"features":[{"geometry":null,"properties":null}]}',
          photon({ street: 'S', postcode: '1', city: 'x'.repeat(101) }),
          photon({ street: 'S', postcode: '1', city: 'a\0b' }),
          photon({ street: 'S', postcode: '1', city: 7 }),
          photon({ street: 'S', postcode: '1', city: 'C' }, ['13', '52']),
          photon({ street: 'S', postcode: '1', city: 'C' }, [13, 1e308]),
        ]
      : [
          '[]',
          '[null]',
          '[{}]',
          nominatim({ road: 'S', postcode: '1' }),
          nominatim({ road: 'S', postcode: '1', city: 'C' }, { lat: '' }),
          nominatim({ road: 'S', postcode: '1', city: 'C' }, { lat: 'NaN' }),
          nominatim({ road: {}, postcode: '1', city: 'C' }),
        ];
  test.each(nowhere)('%s is no address that could be kept', async (text) => {
    behave = json(text);
    const request = anOrder({ ...keyed('k'), organizationId: randomUUID() });
    await expect(under.orders.createOrder(request)).rejects.toMatchObject({
      kind: 'ADDRESS_NOT_RESOLVED',
    });
    expect(await traces(request.organizationId)).toEqual([0, 0, 0]);
  });
});
