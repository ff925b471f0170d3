import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Failure, type FailureKind, kinds } from '@pto/errors';
import type { Backends } from '../../src/backends.ts';
import { rejectionsOf } from '../../src/openapi/error-responses.ts';
import { routeTable } from '../../src/routes/table.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { answeringServices, id } from './answering-services.ts';
import { answersOf, type Document } from './openapi-answers.ts';

let under: GatewayUnderTest;
let document: Document;
let key: string;
let refuse: Failure | undefined;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_WRITES_PER_MINUTE: '10000', GATEWAY_READS_PER_MINUTE: '10001' },
    behind: answeringServices(() => {
      if (refuse) throw refuse;
    }),
  });
  ({ key } = await partnerOf(under));
  const answered = await call('GET', `http://127.0.0.1:${under.port}/openapi.json`);
  document = answered.body;
});
afterAll(() => under.stop());
beforeEach(() => {
  refuse = undefined;
});

/** What no service says: the gateway refuses it, or the server by a bare status line. */
const ours = new Set<FailureKind>(['VALIDATION', 'REQUEST_TIMEOUT']);
/** Operations that call no service. */
const own: readonly string[] = ['ping', 'listRequests'];
const table = routeTable({} as Backends, 'sandbox');
// the document does not have what the page of a link reads
const rows = table.filter(({ linksOnly }) => !linksOnly).map((row) => [row.name, row] as const);
/** A request that each operation takes, made of the document's own example. */
const ask = (
  { method, path }: { method: string; path: string },
  more: Parameters<typeof call>[2] = {},
) => {
  const operation = operationAt(method, path);
  const body = operation.requestBody?.content?.['application/json'].example;
  const target = path.replace(':sha256', 'ab'.repeat(32)).replace(/:\w+/g, id);
  return call(method, `${under.baseUrls[0]}${target}`, { key, body, ...more });
};
const operationAt = (method: string, path: string) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;

describe.each(rows)('%s', (_, row) => {
  const expectTrue = async (expected: number, more: Parameters<typeof call>[2] = {}) => {
    const answered = await ask(row, more);
    expect(answered.status).toBe(expected);
    const operation = operationAt(row.method, row.path);
    expect(answersOf(document).faults(operation, answered)).toEqual([]);
  };

  test('the example asks for it, and its answers are as documented', async () => {
    for (const _ of [1, 2]) await expectTrue(row.success);
  });

  test('errors of services have the documented form', async () => {
    const passedOn = rejectionsOf(row).filter((kind) => kinds[kind].http > 403 && !ours.has(kind));
    for (const kind of own.includes(row.name) ? [] : passedOn) {
      refuse = new Failure(kind, 'm', { details: { field: 'f' } });
      await expectTrue(kinds[kind].http);
    }
  });

  test('refused by the gateway itself', async () => {
    await expectTrue(401, { key: 'no' });
    await expectTrue(403, { key: (await partnerOf(under, { disabled: true })).key });
    const limits = { reads: 1, writes: 1 };
    const { key: poor } = await partnerOf(under, limits);
    await ask(row, { key: poor });
    await expectTrue(429, { key: poor });
    const tooLarge = (row.large?.bodyMaxBytes ?? 256 * 1024) + 1;
    if (row.method !== 'GET') await expectTrue(413, { body: 'x'.repeat(tooLarge) });
    if (row.schemas.body) await expectTrue(422, { body: '{' });
    if (row.schemas.body && !row.optionalBody)
      await expectTrue(415, { headers: { 'content-type': 'text/plain' } });
  });
});

test('each status of an operation has an example, and the examples hold', () => {
  const { operations, responseOf, faultsIn, examplesOf } = answersOf(document);
  const webhooks = Object.values(document.webhooks).map(({ post }) => post);
  for (const operation of [...operations, ...webhooks]) {
    const contents = [
      operation.requestBody,
      ...Object.keys(operation.responses).map((status) => responseOf(operation, status)),
    ];
    for (const media of contents.map((content) => content?.content?.['application/json'])) {
      if (!media) continue;
      const examples = examplesOf(media);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect([operation.operationId, example]).not.toEqual([operation.operationId, undefined]);
        expect([operation.operationId, faultsIn(media.schema, example)]).toEqual([
          operation.operationId,
          [],
        ]);
      }
    }
  }
});
