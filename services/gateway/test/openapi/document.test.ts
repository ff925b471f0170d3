import { expect, test } from '@jest/globals';
import { openapiDocument } from '../../src/openapi/document.ts';
import { requestSchema } from '../../src/openapi/operation.ts';
import { routeTable } from '../../src/routes/table.ts';
import { answersOf, type Document } from './openapi-answers.ts';

const table = routeTable({} as never, 'sandbox');
const made = openapiDocument(table, { supportUrl: 'https://support.example/' });
const document = JSON.parse(JSON.stringify(made)) as Document & { info: object };
const { operations, responseOf, faultsIn, examplesOf } = answersOf(document);
const schemas = document.components.schemas as Readonly<Record<string, Record<string, unknown>>>;

/** Every schema object in a part of the document. */
const within = (part: unknown): Record<string, unknown>[] => {
  if (typeof part !== 'object' || part === null) return [];
  return [part as Record<string, unknown>, ...Object.values(part).flatMap(within)];
};
/** The names of the components that a part of the document refers to, directly or not. */
const referred = (part: unknown, seen = new Set<string>()): Set<string> => {
  for (const { $ref } of within(part)) {
    const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : '';
    if (!schemas[name] || seen.has(name)) continue;
    seen.add(name);
    referred(schemas[name], seen);
  }
  return seen;
};

test('every error response, 408 included, has the one envelope or the validation error', () => {
  const shared = ['ApiError', 'ValidationError'].map((name) => `#/components/schemas/${name}`);
  for (const operation of operations) {
    const errors = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
    expect(errors).toContain('408');
    for (const status of errors) {
      const media = responseOf(operation, status)!.content!['application/json'];
      const { $ref, anyOf = [] } = media.schema as { $ref?: string; anyOf?: { $ref: string }[] };
      const references = $ref ? [$ref] : anyOf.map((one) => one.$ref);
      expect(references.length).toBeGreaterThan(0);
      for (const one of references) expect(shared).toContain(one);
      expect(examplesOf(media).length).toBeGreaterThan(0);
    }
  }
});

test('every text of a request has a bound', () => {
  const bodies = operations.map(({ requestBody }) => requestBody);
  const parts = [bodies, ...[...referred(bodies)].map((name) => schemas[name])].flatMap(within);
  const texts = parts.filter(({ type }) => type === 'string');
  expect(texts.length).toBeGreaterThan(20);
  const isBounded = (text: Record<string, unknown>) =>
    ['maxLength', 'enum', 'const', 'format', 'pattern'].some((name) => name in text);
  const unbounded = texts.filter((text) => !isBounded(text));
  // of readings, whose bound is one of bytes
  expect(unbounded.map(({ description }) => description)).toEqual([
    expect.stringContaining('at most 5 MiB'),
  ]);
});

test('no enumeration in a response or an event is closed', () => {
  const roots = [operations.map(({ responses }) => responses), document.components.responses];
  const events = Object.values(document.webhooks).map(({ post }) => post.requestBody);
  for (const name of referred([roots, events]))
    for (const { enum: values } of within(schemas[name]))
      expect([name, values]).toEqual([name, undefined]);
});

test('an unknown value of an open enumeration is valid', () => {
  const order = { $ref: '#/components/schemas/Order' };
  const example = responseOf(
    operations.find(({ operationId }) => operationId === 'getOrder')!,
    200,
  )!.content!['application/json'].example as object;
  expect(faultsIn(order, { ...example, status: 'PAUSED', sla: 'NIGHT' })).toEqual([]);
  expect(schemas.OrderStatus?.['x-extensible-enum']).toContain('SEALED');
});

test('a member of a request that has a default states it in its description alone', () => {
  const bodies = operations.map(({ requestBody }) => requestBody);
  for (const name of referred(bodies))
    for (const schema of within(schemas[name])) expect(schema).not.toHaveProperty('default');
  const { properties, required } = schemas.OrderCreate as {
    properties: Record<string, { description?: string }>;
    required: string[];
  };
  expect(properties.sla?.description).toBe('Default: `"STANDARD"`.');
  expect(required).toEqual(['pickup', 'dropoff', 'pickup_window_start']);
});

test('a default is appended to the description of a member', () => {
  expect(requestSchema({ type: 'string', default: 'DE', description: 'Country.' })).toEqual({
    type: 'string',
    description: 'Country. Default: `"DE"`.',
  });
});

test('objects with free members are declared as such', () => {
  for (const [name, member] of [
    ['ApiErrorBody', 'details'],
    ['ValidationErrorEntry', 'ctx'],
    ['CustodyEntry', 'payload'],
  ] as const) {
    const { properties } = schemas[name] as { properties: Record<string, object> };
    expect(properties[member]).toHaveProperty('additionalProperties', true);
  }
});

test('the document states the contact of the installation', () => {
  expect(document.info).toMatchObject({
    contact: { name: 'Partner API support', url: 'https://support.example/' },
  });
});

test('no event is dropped for its number, and disabling loses nothing that recover sends', () => {
  const { properties } = schemas.WebhookEventOrder as {
    properties: Record<string, { description: string }>;
  };
  expect(properties.sequence?.description).toContain('never drop an event');
  const update = table.find(({ name }) => name === 'updateWebhook');
  expect(update?.description).toMatch(/`recoverWebhook` with .* sends the missed events/);
});
