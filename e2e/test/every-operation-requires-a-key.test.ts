/** The authorization matrix of the local stack; its rows are the document's operations. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { createOrder, inLanes } from '../load.ts';
import { operator, operatorClients } from '../operator.ts';
import { partner } from '../partner.ts';
import { sharedStack } from './test-stack.ts';

interface Operation {
  readonly method: string;
  /** With its parameters' names. */
  readonly path: string;
  readonly scope: string | null;
  /** A body that holds. */
  readonly example: unknown;
}

const stack = sharedStack();
let operations: Operation[];
beforeAll(async () => {
  const { paths } = (await (await fetch(`${stack.file().gateways[0]}/openapi.json`)).json()) as {
    // biome-ignore lint/suspicious/noExplicitAny: a document of others' form
    paths: Record<string, Record<string, any>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, of]) => ({
      method: method.toUpperCase(),
      path,
      scope: of['x-required-scope'] ?? null,
      example: of.requestBody?.content['application/json'].example,
    })),
  );
});

interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Header by header, so that one may be given twice. */
const ask = ({ method, path, example }: Operation, id: string, authorization: string[]) =>
  new Promise<Heard>((resolve, reject) => {
    const body = example === undefined ? '' : JSON.stringify(example);
    const target = path.replace('{sha256}', 'ab'.repeat(32)).replace(/\{\w+\}/g, id);
    const sent = request(`${stack.file().baseUrl}${target}`, { method });
    if (authorization.length > 0) sent.setHeader('Authorization', authorization);
    if (body !== '') sent.setHeader('Content-Type', 'application/json');
    sent.setTimeout(20_000, () => sent.destroy(new Error('no answer')));
    sent
      .once('error', reject)
      .once('response', async (answer) =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: await text(answer),
        }),
      )
      .end(body);
  });

const refusedWith = (status: number, code: string) => (heard: Heard) =>
  heard.status === status &&
  JSON.parse(heard.body).error.code === code &&
  (status !== 401 || heard.headers['www-authenticate'] === 'Bearer');

/** A key that nobody has issued, in the form of decision 16. */
const wellFormed = (prefix: string): string => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const body = prefix + 'x'.repeat(43);
  let rest = crc32(body);
  const checksum = Array.from({ length: 6 }, () => {
    const digit = digits[rest % 62];
    rest = Math.floor(rest / 62);
    return digit;
  });
  return body + checksum.reverse().join('');
};

type Cell = (operation: Operation) => Promise<boolean | null>;

/** Keys of every kind that must not pass, made as the operator makes them. */
const makeColumns = async (): Promise<Record<string, Cell>> => {
  const { organizations } = stack.file();
  const good = organizations[0]!.keys.all;
  const org = organizations[0]!.id;
  const { access } = operatorClients(stack);
  const scopes = ['orders:read', 'orders:write', 'webhooks:manage'];
  const issue = async (more: object = {}, organizationId = org) =>
    (await access.issueKey({ organizationId, scopes, ...more })).secret;
  const { secret: revoked, key } = await access.issueKey({ organizationId: org, scopes });
  await access.revokeKey({ id: key!.id });
  const expired = await issue({ expiresInSeconds: 1n });
  const elsewhere = await issue({ allowedCidrs: ['203.0.113.0/24'] });
  const { organization } = await access.createOrganization({ name: 'Disabled' });
  const disabled = await issue({}, organization!.id);
  await access.setOrganizationEnabled({ id: organization!.id, enabled: false });
  const orderOfOther = await createOrder(stack, 'of-another');
  const other = organizations[1]!.keys;
  const endpoint = await partner(stack).post('/webhooks', { url: 'https://nobody.invalid/hook' });
  expect(endpoint).toMatchObject({ status: 201 });
  await until(async () => (await partner(stack, expired).get('/ping')).status === 401, {
    what: 'the key to expire',
  });

  const bad =
    (authorization: string[], code: string, status = 401): Cell =>
    async (operation) =>
      refusedWith(status, code)(await ask(operation, randomUUID(), authorization));
  const flipped = `${good.slice(0, -1)}${good.endsWith('a') ? 'b' : 'a'}`;
  const keysOf = {
    'orders:read': 'read',
    'orders:write': 'write',
    'webhooks:manage': 'webhooks',
    'keys:rotate': 'rotate',
  } as const;
  return {
    none: bad([], 'MISSING_API_KEY'),
    'not Bearer': bad([`Basic ${good}`], 'INVALID_API_KEY'),
    malformed: bad(['Bearer nonsense'], 'INVALID_API_KEY'),
    'bad checksum': bad([`Bearer ${flipped}`], 'INVALID_API_KEY'),
    unknown: bad([`Bearer ${wellFormed('svc_test_')}`], 'INVALID_API_KEY'),
    'other environment': bad([`Bearer ${wellFormed('svc_live_')}`], 'API_KEY_WRONG_ENVIRONMENT'),
    twice: bad([`Bearer ${good}`, `Bearer ${good}`], 'INVALID_API_KEY'),
    revoked: bad([`Bearer ${revoked}`], 'API_KEY_REVOKED'),
    expired: bad([`Bearer ${expired}`], 'API_KEY_EXPIRED'),
    'other address': bad([`Bearer ${elsewhere}`], 'CLIENT_ADDRESS_NOT_ALLOWED', 403),
    disabled: bad([`Bearer ${disabled}`], 'ORGANIZATION_NOT_ENABLED', 403),
    'other scopes': async (operation) => {
      if (operation.scope === null) return null;
      const others = Object.entries(keysOf).filter(([scope]) => scope !== operation.scope);
      const heard = await Promise.all(
        others.map(([, name]) =>
          ask(operation, randomUUID(), [`Bearer ${organizations[0]!.keys[name]}`]),
        ),
      );
      return heard.every(
        (one) =>
          refusedWith(403, 'INSUFFICIENT_SCOPE')(one) &&
          JSON.parse(one.body).error.details.required_scope === operation.scope,
      );
    },
    // what belongs to another is answered, to the byte, as what nobody has
    "another's id": async (operation) => {
      if (!operation.path.includes('{')) return null;
      const isOfKeys = operation.scope === 'keys:rotate';
      const ofEndpoint = isOfKeys ? key!.id : endpoint.body.id;
      const theirs = operation.path.startsWith('/orders') ? orderOfOther : ofEndpoint;
      const authorization = [`Bearer ${isOfKeys ? other.rotate : other.all}`];
      const one = await ask(operation, theirs, authorization);
      const nobodys = await ask(operation, randomUUID(), authorization);
      return one.status === 404 && nobodys.status === 404 && one.body === nobodys.body;
    },
    'the right key': async (operation) => {
      const name =
        operation.scope === null ? 'all' : keysOf[operation.scope as keyof typeof keysOf];
      const heard = await ask(operation, randomUUID(), [`Bearer ${organizations[0]!.keys[name]}`]);
      return ![401, 403].includes(heard.status) && heard.status < 500;
    },
  };
};

test('every operation refuses every key but the right one, and shows nobody what is another’s', async () => {
  const columns = Object.entries(await makeColumns());
  const failed: string[] = [];
  let passed = 0;
  await inLanes(operations.length, 4, async (n) => {
    const operation = operations[n]!;
    const verdicts = await Promise.all(columns.map(([, judge]) => judge(operation)));
    for (const [at, verdict] of verdicts.entries()) {
      if (verdict) passed++;
      if (verdict === false)
        failed.push(`${operation.method} ${operation.path}: ${columns[at]![0]}`);
    }
  });
  process.stdout.write(
    `${operations.length} operations, ${columns.length} columns, ${passed} passed, ${failed.length} failed\n`,
  );
  expect(operations.length).toBeGreaterThanOrEqual(18);
  expect(failed).toEqual([]);
}, 120_000);

test('key list shows name and allowed addresses, and key cidrs changes the addresses', async () => {
  const org = stack.file().organizations[0]!.id;
  const words = ['--org', org, '--scopes', 'orders:read', '--name', 'Night shift'];
  const cidrs = ['--cidr', '203.0.113.9/24,2001:db8::/48'];
  const issued = (await operator(stack, 'key', 'issue', ...words, ...cidrs)).json as {
    id: string;
    key: string;
  };
  const listed = async () => {
    const keys = (await operator(stack, 'key', 'list', '--org', org)).json as { id: string }[];
    return keys.find(({ id }) => id === issued.id);
  };
  expect(await listed()).toMatchObject({
    name: 'Night shift',
    allowed_cidrs: ['203.0.113.0/24', '2001:db8::/48'],
    last_used_at: null,
  });
  const ping = () => partner(stack, issued.key).get('/ping');
  expect((await ping()).status).toBe(403);
  const { json } = await operator(stack, 'key', 'cidrs', issued.id, '--set', '');
  expect(json).toMatchObject({ id: issued.id, allowed_cidrs: null });
  await until(async () => (await ping()).status === 200, { deadlineMs: 5000, what: 'a 200' });
}, 60_000);
