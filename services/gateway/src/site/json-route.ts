import type { PublicRoute } from './representation.ts';

/**
 * Serves a JSON object that anyone may read, also from a website of another origin.
 * @param seconds for which a client may store the response.
 */
export const jsonRoute = (
  path: `/${string}.json`,
  seconds: number,
  read: () => Promise<unknown>,
): PublicRoute => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: path,
  read: async () => ({
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(await read())),
    cacheControl: `public, max-age=${seconds}`,
    headers: { 'Access-Control-Allow-Origin': '*' },
  }),
});
