import { expect, test } from '@jest/globals';
import { ConnectionFailedError } from '../src/index.ts';
import { cut, json, startServer } from './a-server.ts';

const link = { id: '01900000-0000-7000-8000-000000000000', url: 'https://portal.test/#ptl_x' };

test('a link is created once: after a lost response a second one could be open', async () => {
  await using server = await startServer(cut, json(201, link));
  const { portalLinks } = server.client();
  await expect(portalLinks.create({ read_only: true })).rejects.toThrow(ConnectionFailedError);
  expect(await portalLinks.create()).toEqual(link);
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/api/partner/v1/portal-links', '{"read_only":true}'],
    ['POST', '/api/partner/v1/portal-links', '{}'],
  ]);
});

test('the end of all links is repeated after a lost response', async () => {
  await using server = await startServer(cut, (response) => response.writeHead(204).end());
  expect(await server.client().portalLinks.endAll()).toBeUndefined();
  expect(server.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
});
