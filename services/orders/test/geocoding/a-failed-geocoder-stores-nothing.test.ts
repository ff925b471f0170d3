import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  anOrder,
  bodyOf,
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

/** An order whose addresses are the one that the server knows. */
const orderToCharite = (more: object = {}) =>
  anOrder({
    dropoff: { place: { case: 'addressText', value: 'Charitéplatz 1, 10117 Berlin' } },
    ...more,
  });

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
    const request = orderToCharite();
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
    const request = orderToCharite(keyed('k'));
    await expect(under.orders.createOrder(request)).rejects.toMatchObject({
      kind: 'GEOCODER_UNAVAILABLE',
      retryAfterSeconds: 5,
    });
    expect(await traces(request.organizationId)).toEqual([0, 0, 0]);
    // the key is free, and a location is made all the same, without coordinates
    const organizationId = request.organizationId;
    const created = await under.locations.createLocation({
      organizationId,
      ...charite,
      label: 'L',
    });
    expect(bodyOf(created)).toMatchObject({ lat: null, lng: null });
    behave = json(found);
    expect((await under.orders.createOrder(request)).replayed).toBe(false);
  });

  /** The server's answer for a place of another street, postal code, town or country. */
  const placed = (zip: string, city: string, country: string | undefined) =>
    kind === 'photon'
      ? photon({
          street: 'Hauptstraße',
          housenumber: '1',
          postcode: zip,
          city,
          ...(country && { countrycode: country }),
        })
      : nominatim({
          road: 'Hauptstraße',
          house_number: '1',
          postcode: zip,
          city,
          ...(country && { country_code: country.toLowerCase() }),
        });
  const munich = { street: 'Marienplatz 1', zip: '80331', city: 'München', country: 'DE' };
  const line = 'Marienplatz 1, 80331 München';

  test.each([
    ['another town', placed('20095', 'Hamburg', 'DE')],
    ['another postal code', placed('80333', 'München', 'DE')],
    ['a town of that postal code elsewhere', placed('80331', 'Hamburg', 'DE')],
    ['another country', placed('80331', 'München', 'AT')],
    ['no country', placed('80331', 'München', undefined)],
  ])('a best match with %s is no match', async (_, found) => {
    behave = json(found);
    for (const place of [
      { case: 'address', value: munich },
      { case: 'addressText', value: `${line}, Deutschland` },
    ] as const) {
      const request = anOrder({ organizationId: randomUUID(), dropoff: { place } });
      const rejected = under.orders.createOrder({ ...request, pickup: { place } });
      await expect(rejected).rejects.toMatchObject({ kind: 'ADDRESS_NOT_RESOLVED' });
    }
    const organizationId = randomUUID();
    const created = await under.locations.createLocation({
      organizationId,
      ...munich,
      label: 'L',
    });
    expect(bodyOf(created)).toMatchObject({ lat: null, lng: null });
  });

  test.each([
    ['80331', 'Munich', 'DE'],
    ['80331', 'MÜNCHEN', 'DE'],
    ['80331', 'Muenchen', 'DE'],
    ['8033 1', 'München Altstadt', 'DE'],
  ])('the same town as %s %s %s is a match', async (zip, city, country) => {
    behave = json(placed(zip, city, country));
    for (const place of [
      { case: 'address', value: munich },
      { case: 'addressText', value: line },
      { case: 'addressText', value: `Rathaus am Marienplatz ${city} 80331` },
    ] as const) {
      const request = anOrder({ organizationId: randomUUID(), dropoff: { place } });
      const made = await under.orders.createOrder({ ...request, pickup: { place } });
      expect(made.replayed).toBe(false);
    }
  });

  test('a line without a country may be in any, one without a postal code in any of the town', async () => {
    behave = json(placed('1010', 'Wien', 'AT'));
    for (const value of ['Stephansplatz 1, 1010 Wien', 'Stephansplatz Vienna']) {
      const place = { case: 'addressText', value } as const;
      const request = anOrder({ organizationId: randomUUID(), dropoff: { place } });
      await under.orders.createOrder({ ...request, pickup: { place } });
      const { locations } = await under.locations.listLocations(request);
      expect(locations).toMatchObject([{ city: 'Wien', country: 'AT' }]);
    }
    const place = { case: 'addressText', value: 'Stephansplatz 1, Graz' } as const;
    const request = anOrder({ organizationId: randomUUID(), dropoff: { place } });
    await expect(under.orders.createOrder({ ...request, pickup: { place } })).rejects.toMatchObject(
      { kind: 'ADDRESS_NOT_RESOLVED' },
    );
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
    const request = orderToCharite({ ...keyed('k'), organizationId: randomUUID() });
    await expect(under.orders.createOrder(request)).rejects.toMatchObject({
      kind: 'ADDRESS_NOT_RESOLVED',
    });
    expect(await traces(request.organizationId)).toEqual([0, 0, 0]);
  });
});
