import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { objectives, openObjectives } from '../../src/site/status/objectives.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An HTTP server in place of Prometheus. */
const prometheus = async (respond: RequestListener) => {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url!, 'http://prometheus'));
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prom`, asked };
};

const series = (record: string, value: string, namespace = 'partner-api') => ({
  metric: { __name__: record, namespace },
  value: [1_795_000_000, value],
});
const answer =
  (...result: object[]): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }));
const [availability, reads, writes, webhook] = objectives.map(({ record }) => record) as [
  string,
  string,
  string,
  string,
];
const sharesOf = async (respond: RequestListener, namespace = '') => {
  const { url } = await prometheus(respond);
  return (await openObjectives({ url, namespace })()).map(({ share }) => share);
};

test('each share is 1 less the share of bad events', async () => {
  const bad = [availability, reads, writes, webhook].map((one, n) => series(one, `0.0${n}`));
  expect(await sharesOf(answer(...bad))).toEqual([1, 0.99, 0.98, 0.97]);
});

test('one query asks for this environment alone, at most once a minute', async () => {
  const { url, asked } = await prometheus(answer(series(availability, '0')));
  const read = openObjectives({ url: `${url}/`, namespace: 'a"b' });
  await Promise.all([read(), read()]);
  await read();
  expect(asked.map(({ pathname }) => pathname)).toEqual(['/prom/api/v1/query']);
  const records = [availability, reads, writes, webhook].join('|');
  expect(asked[0]!.searchParams.get('query')).toBe(`{__name__=~"${records}",namespace="a\\"b"}`);
});

test('a share of which two environments have a series is not known', async () => {
  const both = [series(availability, '0'), series(availability, '0', 'other'), series(reads, '0')];
  expect(await sharesOf(answer(...both))).toEqual([null, 1, null, null]);
});

const unknown = [null, null, null, null];
test.each<[string, RequestListener]>([
  ['no number', answer(series(availability, 'NaN'), series(reads, '+Inf'), series(writes, '-1'))],
  ['no series', answer()],
  ['an error', (_, response) => response.writeHead(500).end('{}')],
  ['no JSON', (_, response) => response.end('<html>')],
  ['another shape', (_, response) => response.end('{"data":null}')],
  [
    'a redirect',
    (request, response) =>
      request.url === '/elsewhere'
        ? answer(series(availability, '0'))(request, response)
        : response.writeHead(302, { location: '/elsewhere' }).end(),
  ],
  [
    'too many bytes',
    (_, response) =>
      response.end(
        JSON.stringify({ data: { result: [series(availability, '0')] } }).padStart(65_537),
      ),
  ],
  ['nothing in 2 s', () => {}],
])('with %s a share is not known', async (_, respond) => {
  expect(await sharesOf(respond)).toEqual(unknown);
});

test('a response of 64 KiB is read', async () => {
  const body = JSON.stringify({ data: { result: [series(availability, '0')] } });
  const shares = await sharesOf((_, response) => response.end(body.padStart(64 * 1024)));
  expect(shares[0]).toBe(1);
});

test('without a URL no share is known', async () => {
  expect((await openObjectives({ url: '', namespace: '' })()).map(({ share }) => share)).toEqual(
    unknown,
  );
});

const file = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('the records and the targets are those of the rules and of the documentation', () => {
  const rules = file('deploy/helm/partner-api/rules/slo-recordings.yaml');
  const documented = file('docs/operators/slos.md');
  for (const { record, target } of objectives) {
    expect(rules).toContain(`- record: ${record}\n`);
    expect(documented).toContain(`${target * 100} %`);
  }
});
