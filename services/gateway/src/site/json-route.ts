import type { PublicRoute } from './representation.ts';

/**
 * Serves a JSON object that anyone may read, also from a website of another origin.
 * @param secondsOf for how long a client may store the response.
 */
export const jsonRoute = <Body>(
  path: `/${string}.json`,
  secondsOf: number | ((body: Body) => number),
  read: () => Promise<Body>,
): PublicRoute => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: path,
  read: async () => {
    const body = await read();
    const seconds = typeof secondsOf === 'number' ? secondsOf : secondsOf(body);
    return {
      contentType: 'application/json',
      bytes: Buffer.from(JSON.stringify(body)),
      cacheControl: `public, max-age=${seconds}`,
      headers: { 'Access-Control-Allow-Origin': '*' },
    };
  },
});
