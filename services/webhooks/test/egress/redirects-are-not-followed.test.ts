import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { queueBacklog } from '../backlog.ts';
import { startCountingListener } from '../counting-listener.ts';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const under = underTest();
let listener: Awaited<ReturnType<typeof startCountingListener>>;
let redirecting: Server;
const endpoints = new Map<string, { id: string; organizationId: string }>();

const statuses = [300, 301, 302, 303, 305, 307, 308];
// the listener stands where the guard would let us go: only not following protects it
const places = ['https://127.0.0.1:PORT/', 'http://127.0.0.1:PORT/', '//127.0.0.1:PORT/'];
const redirects = statuses.flatMap((status) => places.map((place) => [status, place] as const));

/** Answers `/<status>/<where>` with that status and place, and a body that proves a handshake. */
beforeAll(async () => {
  listener = await startCountingListener();
  const { cert, key } = under.authority;
  redirecting = createServer({ cert, key }, (request, response) => {
    const url = new URL(request.url!, 'https://localhost');
    const [, status, where = ''] = url.pathname.split('/');
    response.writeHead(Number(status), {
      location: decodeURIComponent(where),
      refresh: `0; url=${decodeURIComponent(where)}`,
      'alt-svc': `h2=":${listener.port}"`,
    });
    response.end(url.searchParams.get('verification'));
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${(redirecting.address() as AddressInfo).port}`;
  for (const [status, place] of redirects) {
    const where = encodeURIComponent(place.replace('PORT', String(listener.port)));
    const organizationId = anOrganization();
    const [id = ''] = await queueBacklog(under.stores, {
      organizationId,
      url: `${origin}/${status}/${where}`,
      endpoints: 1,
      deliveriesEach: 1,
    });
    endpoints.set(`${status} ${place}`, { id, organizationId });
  }
});
afterAll(() => {
  redirecting.close();
  redirecting.closeAllConnections();
  listener.close();
});

test.each(redirects)('%i to %s, at handshake, test and delivery', async (status, place) => {
  const { id, organizationId } = endpoints.get(`${status} ${place}`)!;
  const { webhooks } = under.replica;
  expect(await webhooks.verifyEndpoint({ organizationId, id })).toMatchObject({
    verified: false,
  });
  expect(await webhooks.testEndpoint({ organizationId, id })).toMatchObject({
    delivered: false,
    statusCode: status,
  });
  const [attempt] = await until(
    async () => {
      const rows = await under.stores.superuser.query<{ status_code: number }>(
        `select a.status_code from attempts a join deliveries d on d.id = a.delivery_id
         where d.endpoint_id = $1`,
        [id],
      );
      return rows.length > 0 && rows;
    },
    { what: 'the delivery to be tried' },
  );
  expect(attempt!.status_code).toBe(status);
  expect(listener.connections()).toBe(0);
});
