import { describe, expect, test } from '@jest/globals';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const under = underTest({
  ENVIRONMENT: 'production',
  WEBHOOKS_CONNECT_TIMEOUT: '50ms', // how long each unreachable handshake takes
});
const good = 'https://localhost:1/hooks';

const refusedUrls: readonly (readonly [string, string])[] = [
  ['http://example.com/hooks', 'the URL must be an HTTPS URL'],
  ['https://user:pass@example.com', 'the URL must not contain credentials'],
  ['https://example.com/#fragment', 'the URL must not contain a fragment'],
  ['https://10.0.0.1/hooks', 'the URL is a private address'],
  ['https://[::ffff:127.0.0.1]/hooks', 'the URL is an IPv4-mapped address'],
];

describe('a URL that speaks against itself', () => {
  test.each(refusedUrls)('%s', async (url, error) => {
    const detail = [
      {
        loc: ['body', 'url'],
        msg: `Value error, ${error}`,
        type: 'value_error',
        input: url,
        ctx: { error },
      },
    ];
    const { webhooks } = under.replica;
    const organizationId = anOrganization();
    const created = webhooks.createEndpoint({ organizationId, url });
    await expect(created).rejects.toMatchObject({ kind: 'VALIDATION', details: { detail } });
    const { endpoint } = await webhooks.createEndpoint({ organizationId, url: good });
    const updated = webhooks.updateEndpoint({ organizationId, id: endpoint!.id, url });
    await expect(updated).rejects.toMatchObject({ kind: 'VALIDATION', details: { detail } });
  });
});

describe('event_filter', () => {
  const create = (events: string[]) =>
    under.replica.webhooks.createEndpoint({
      organizationId: anOrganization(),
      url: good,
      eventFilter: { events },
    });

  test('names each event once', async () => {
    const { endpoint } = await create(['order.sealed', 'order.closed', 'order.sealed']);
    expect(endpoint?.eventFilter?.events).toEqual(['order.sealed', 'order.closed']);
  });

  test.each<[string[], (string | number)[][]]>([
    [[], [['body', 'event_filter']]],
    [['order.sealed', 'order.unknown'], [['body', 'event_filter', 1]]],
    [
      ['Order.Sealed', 'x'],
      [
        ['body', 'event_filter', 0],
        ['body', 'event_filter', 1],
      ],
    ],
  ])('%j is refused', async (events, locs) => {
    const failure = await create(events).catch((error) => error);
    expect(failure.kind).toBe('VALIDATION');
    expect(failure.details.detail.map((entry: { loc: unknown }) => entry.loc)).toEqual(locs);
  });

  test('PATCH tells apart: absent, null (all events) and a list', async () => {
    const { webhooks } = under.replica;
    const organizationId = anOrganization();
    const { endpoint } = await webhooks.createEndpoint({
      organizationId,
      url: good,
      eventFilter: { events: ['order.sealed'] },
    });
    const id = endpoint!.id;
    const update = async (more: object) =>
      (await webhooks.updateEndpoint({ organizationId, id, ...more })).endpoint?.eventFilter
        ?.events;
    expect(await update({})).toEqual(['order.sealed']);
    expect(await update({ setEventFilter: true })).toBeUndefined();
    expect(await update({ disabled: false })).toBeUndefined();
    expect(await update({ setEventFilter: true, eventFilter: { events: ['order.test'] } })).toEqual(
      ['order.test'],
    );
    expect(await update({ url: good })).toEqual(['order.test']);
  });
});
