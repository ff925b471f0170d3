import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    behind: {
      custody: {
        listOrganizationEvents: async () => ({
          events: [],
          asOf: '2026-11-29T00:00:00.000Z',
          newest: 3n,
        }),
      },
    },
  });
});
afterAll(() => under.stop());

const events = (key: string, query: string) =>
  call('GET', `${under.baseUrls[0]}/events?${query}`, { key });

test('a number beyond the newest event is a 422 that names it, and the newest is an empty page', async () => {
  const { key } = await partnerOf(under);
  for (const query of ['after=4', 'after=9007199254740991&wait=25']) {
    const { status, body } = await events(key, query);
    expect([status, body.detail]).toMatchObject([
      422,
      [{ type: 'value_error', loc: ['query', 'after'], ctx: { newest: 3 } }],
    ]);
  }
  for (const after of [0, 2, 3])
    expect(await events(key, `after=${after}`)).toMatchObject({ status: 200, body: { data: [] } });
});

test('a number with the feed of another organization is a 422, and with its own a page', async () => {
  const [own, other] = [await partnerOf(under), await partnerOf(under)];
  const feedOf = async (key: string) => (await events(key, 'after=0')).body.feed;
  const [feed, foreign] = [await feedOf(own.key), await feedOf(other.key)];
  expect(feed).not.toBe(foreign);
  expect(await feedOf(own.key)).toBe(feed);
  expect(await events(own.key, `after=1&feed=${feed}`)).toMatchObject({ status: 200 });
  for (const after of [0, 1])
    expect(await events(own.key, `after=${after}&feed=${foreign}`)).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['query', 'feed'], msg: expect.stringMatching(/ send after=0 without feed$/) },
        ],
      },
    });
  expect(await events(own.key, 'after=0')).toMatchObject({ status: 200, body: { feed } });
});
