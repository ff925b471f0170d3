import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import fc from 'fast-check';
import type { Backends } from '../../src/backends.ts';
import { bodyHash } from '../../src/http/json-body.ts';
import { readRequest } from '../../src/routes/read-request.ts';
import { routeTable } from '../../src/routes/table.ts';

const routes = routeTable({} as Backends, 'sandbox');
const names = routes.flatMap(({ schemas }) =>
  [schemas.body, schemas.query].flatMap((model) => Object.keys(model?.fields ?? {})),
);
/** JSON whose members are often named as ours are, at every depth. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', '2030-01-01', '2030-01-01T00:00Z', 'DRAFT'),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, 'address', '__proto__', 'x'), tie('value')),
  ),
})).value;

const faultForm = {
  type: expect.any(String),
  loc: expect.any(Array),
  msg: expect.any(String),
};

test.each(routes.map((route) => [route.name, route] as const))('%s', (_, route) => {
  const text = fc.string({ unit: 'binary', maxLength: 50 });
  fc.assert(
    fc.property(anyJson, text, text, text, (body, id, search, header) => {
      const read = () =>
        readRequest(route, {
          path: { order_id: id, endpoint_id: id },
          search: `limit=${search}&updated_since=${search}&${search}`,
          headers: { 'idempotency-key': [header] },
          body: Buffer.from(JSON.stringify(body)),
        });
      try {
        read();
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        const detail = thrown.details?.detail as { loc: unknown[]; input?: unknown }[];
        expect(thrown.kind).toBe('VALIDATION');
        expect(detail.length).toBeGreaterThan(0);
        for (const fault of detail) {
          expect(fault).toMatchObject(faultForm);
          expect(['path', 'query', 'header', 'body']).toContain(fault.loc[0]);
          if (fault.loc[0] === 'header') expect(fault).not.toHaveProperty('input');
        }
        JSON.stringify(detail);
      }
    }),
    { numRuns: 200 },
  );
});

test('of 20,000 faults a bounded number is reported', () => {
  const route = routes.find(({ name }) => name === 'createOrder')!;
  const body = Buffer.from(`{"items":[${Array(20_000).fill('{}')}]}`);
  try {
    readRequest(route, { path: {}, search: '', headers: {}, body });
    throw new Error('was taken');
  } catch (thrown) {
    expect((thrown as Failure).details?.detail).toHaveLength(1000);
  }
});

test('a body is the same whatever its spacing and order, and another in anything else', () => {
  const hash = (text: string) =>
    Buffer.from(bodyHash(JSON.parse(text), Buffer.from(text))).toString('hex');
  expect(hash('{"b":1.0,"a":[1e2,"\\u00e9"]}')).toBe(hash(' { "a" : [100, "é"], "b":1 } '));
  expect(hash('{"a":[1,2]}')).not.toBe(hash('{"a":[2,1]}'));
  expect(hash('{"a":null}')).not.toBe(hash('{}'));
  expect(hash('{"a":"\\ud800"}')).not.toBe(hash('{"a":"\\ud801"}'));
  expect(hash('{"a":1e999}')).toBe(hash('{"a":1e999}'));
});
