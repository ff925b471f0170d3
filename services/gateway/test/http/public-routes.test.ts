import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { servePublicRoutes } from '../../src/http/public-routes.ts';
import type { Responder } from '../../src/http/sending/responder.ts';
import { isApi } from '../../src/routes/table.ts';

/** Returns which paths the handler has compared with the public routes, and passed on. */
const served = async (path: string) => {
  const [compared, passed]: [string[], string[]] = [[], []];
  const handle = servePublicRoutes([], {
    responder: {} as Responder,
    spend: async () => {},
    site: (one) => {
      compared.push(one);
      return undefined;
    },
    isApi,
  });
  await handle({ path } as Request, {} as Response, () => passed.push(path));
  return { compared, passed };
};

test.each(['/api/partner/v1', '/api/partner/v1/orders'])(
  '%s is compared with no route',
  async (path) => {
    expect(await served(path)).toEqual({ compared: [], passed: [path] });
  },
);

test.each(['/', '/api', '/api/partner/v1x', '/docs'])('%s is no path of the API', async (path) => {
  expect(await served(path)).toEqual({ compared: [path], passed: [path] });
});
