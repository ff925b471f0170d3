import { describe, expect, test } from '@jest/globals';
import { openapiDocument } from '../../services/gateway/src/openapi/document.ts';
import { routeTable } from '../../services/gateway/src/routes/table.ts';
import { breaks } from '../openapi/compatibility.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
// biome-ignore lint/suspicious/noExplicitAny: each case changes another corner of it
const v1 = (): any => ({
  paths: {
    '/things': {
      get: {
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', maximum: 100 },
          },
          { name: 'kind', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          200: { headers: { 'X-Left': {} }, ...json({ type: 'array', items: ref('Thing') }) },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
      post: { requestBody: json(ref('NewThing')), responses: { 201: json(ref('Thing')) } },
      delete: { responses: { 204: {} } },
    },
  },
  webhooks: {
    'thing.made': {
      post: {
        parameters: [{ name: 'X-Signature', in: 'header', required: true, schema: {} }],
        requestBody: json({ allOf: [ref('Thing'), { properties: { event: { const: 'made' } } }] }),
      },
    },
  },
  components: {
    responses: { NotFound: json({ anyOf: [{ type: 'object' }, { type: 'array' }] }) },
    schemas: {
      Thing: {
        type: 'object',
        required: ['id', 'size'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          size: { type: 'integer' },
          code: { type: 'string', 'x-extensible-enum': ['TOO_BIG', 'TOO_SMALL'] },
          state: { type: 'string', enum: ['A', 'B'] },
          place: { anyOf: [ref('Place'), { type: 'null' }] },
        },
      },
      Place: { type: 'object', properties: { city: { type: ['string', 'null'] } } },
      NewThing: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100 },
          note: { type: ['string', 'null'] },
          state: { type: 'string', enum: ['A', 'B'] },
          tags: { type: 'array', items: { type: 'string' } },
        },
        oneOf: [{ required: ['note'] }, { required: ['state'] }],
      },
    },
  },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Change = (document: ReturnType<typeof v1>) => unknown;
const thing: (d: ReturnType<typeof v1>) => ReturnType<typeof v1> = (d) =>
  d.components.schemas.Thing;
const made: typeof thing = (d) => d.components.schemas.NewThing;
const get: typeof thing = (d) => d.paths['/things'].get;

const breaking: [string, Change, string][] = [
  ['a path removed', (d) => delete d.paths['/things'], 'GET /things is gone'],
  ['an operation removed', (d) => delete d.paths['/things'].delete, 'DELETE /things is gone'],
  ['a status removed', (d) => delete get(d).responses[404], 'GET /things: 404 is gone'],
  [
    'a header removed',
    (d) => delete get(d).responses[200].headers,
    'GET /things: 200: header X-Left is gone',
  ],
  [
    'a body removed',
    (d) => delete get(d).responses[200].content,
    'GET /things: 200 has no body any more',
  ],
  ['a property removed', (d) => delete thing(d).properties.size, 'POST /things: 201.size is gone'],
  [
    'a nested property removed',
    (d) => delete d.components.schemas.Place.properties.city,
    'POST /things: 201.place.city is gone',
  ],
  [
    'a promise taken back',
    (d) => thing(d).required.pop(),
    'POST /things: 201.size is promised no more',
  ],
  [
    'a type changed in an answer',
    (d) => (thing(d).properties.size.type = 'string'),
    'POST /things: 201.size was integer and is string',
  ],
  [
    'null in an answer',
    (d) => (thing(d).properties.size.type = ['integer', 'null']),
    'POST /things: 201.size was integer and is integer or null',
  ],
  [
    'null beside what an answer was',
    (d) => (thing(d).properties.size = { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
    'POST /things: 201.size: an alternative is one that nobody expects',
  ],
  [
    'integer to number in an answer',
    (d) => (thing(d).properties.size.type = 'number'),
    'POST /things: 201.size was integer and is number',
  ],
  [
    'a format lost in an answer',
    (d) => delete thing(d).properties.id.format,
    'POST /things: 201.id was uuid and is any text',
  ],
  [
    'an error code renamed',
    (d) => (thing(d).properties.code['x-extensible-enum'] = ['TOO_BIG', 'TINY']),
    'POST /things: 201.code is never TOO_SMALL any more',
  ],
  [
    'another kind of refusal',
    (d) =>
      d.components.responses.NotFound.content['application/json'].schema.anyOf.push({
        type: 'string',
      }),
    'GET /things: 404: an alternative is one that nobody expects',
  ],
  [
    'a new required parameter',
    (d) => get(d).parameters.push({ name: 'of', in: 'query', required: true }),
    'GET /things: parameter query of is new and required',
  ],
  [
    'a parameter now required',
    (d) => (get(d).parameters[1].required = true),
    'GET /things: parameter query kind is now required',
  ],
  [
    'a parameter with a tighter bound',
    (d) => (get(d).parameters[0].schema.maximum = 50),
    'GET /things: parameter query limit: maximum is tighter than it was',
  ],
  [
    'a parameter with a new enum',
    (d) => (get(d).parameters[1].schema.enum = ['x']),
    'GET /things: parameter query kind now takes only x',
  ],
  [
    'a new required member',
    (d) => made(d).required.push('age'),
    'POST /things: request.age is new and required',
  ],
  [
    'a member now required',
    (d) => made(d).required.push('note'),
    'POST /things: request.note is now required',
  ],
  [
    'a member no longer taken',
    (d) => delete made(d).properties.tags,
    'POST /things: request.tags is gone',
  ],
  [
    'a body where there was none',
    (d) => (get(d).requestBody = { required: true, ...json({}) }),
    'GET /things now needs a body',
  ],
  [
    'a narrower type',
    (d) => (made(d).properties.note.type = 'string'),
    'POST /things: request.note was string or null and is string',
  ],
  [
    'a narrower type of entries',
    (d) => (made(d).properties.tags.items = { type: 'integer' }),
    'POST /things: request.tags[] was string and is integer',
  ],
  [
    'a longer minimum',
    (d) => (made(d).properties.name.minLength = 2),
    'POST /things: request.name: minLength is tighter than it was',
  ],
  [
    'a shorter maximum',
    (d) => (made(d).properties.name.maxLength = 99),
    'POST /things: request.name: maxLength is tighter than it was',
  ],
  [
    'a new bound',
    (d) => (made(d).properties.note.maxLength = 9),
    'POST /things: request.note: maxLength is tighter than it was',
  ],
  [
    'a pattern',
    (d) => (made(d).properties.name.pattern = '^a'),
    'POST /things: request.name: pattern is tighter than it was',
  ],
  [
    'a format in a request',
    (d) => (made(d).properties.name.format = 'uuid'),
    'POST /things: request.name was any text and is uuid',
  ],
  [
    'a value removed from an enum',
    (d) => made(d).properties.state.enum.pop(),
    'POST /things: request.state takes B no more',
  ],
  [
    'an alternative removed',
    (d) => made(d).oneOf.pop(),
    'POST /things: request: an alternative is taken no more',
  ],
  ['an event removed', (d) => delete d.webhooks['thing.made'], 'webhook thing.made is gone'],
  [
    "an event's member removed",
    (d) => delete thing(d).properties.state,
    'webhook thing.made: event.state is gone',
  ],
  [
    "an event's header removed",
    (d) => d.webhooks['thing.made'].post.parameters.pop(),
    'webhook thing.made: event: header X-Signature is gone',
  ],
];

const adding: [string, Change][] = [
  ['nothing', () => {}],
  ['a path', (d) => (d.paths['/more'] = get(d))],
  ['a status', (d) => (get(d).responses[409] = json({}))],
  ['an optional body', (d) => (get(d).requestBody = json({}))],
  ['an optional parameter', (d) => get(d).parameters.push({ name: 'of', in: 'query' })],
  ['a property in an answer', (d) => (thing(d).properties.age = { type: 'integer' })],
  ['a promise', (d) => thing(d).required.push('state')],
  ['a value that answers may have', (d) => thing(d).properties.state.enum.push('C')],
  ['an optional member', (d) => (made(d).properties.age = { type: 'integer' })],
  ['a member no longer required', (d) => made(d).required.pop()],
  [
    'a wider type and bound',
    (d) => (made(d).properties.name = { type: ['string', 'null'], maxLength: 200 }),
  ],
  ['a value in a request', (d) => made(d).properties.state.enum.push('C')],
  ['an alternative in a request', (d) => made(d).oneOf.push({ required: ['tags'] })],
  ['the same in other words', (d) => (thing(d).properties.size = { allOf: [{ type: 'integer' }] })],
  ['an event', (d) => (d.webhooks['thing.lost'] = d.webhooks['thing.made'])],
];

describe('breaks', () => {
  test.each(breaking)('%s', (_, change, sentence) => {
    const next = v1();
    change(next);
    expect(breaks(v1(), next)).toContain(sentence);
  });
});

describe('passes', () => {
  test.each(adding)('%s', (_, change) => {
    const next = v1();
    change(next);
    expect(breaks(v1(), next)).toEqual([]);
  });
});

test('our own document: without one operation, one member or one event it breaks', () => {
  const own = () => JSON.parse(JSON.stringify(openapiDocument(routeTable({} as never, 'sandbox'))));
  expect(breaks(own(), own())).toEqual([]);
  const less = own();
  delete less.paths['/orders/{order_id}/submit'];
  delete less.components.schemas.Order.properties.notes;
  delete less.webhooks['order.sealed'];
  expect(breaks(own(), less)).toEqual(
    expect.arrayContaining([
      'POST /orders/{order_id}/submit is gone',
      'GET /orders: 200.data[].notes is gone',
      'webhook order.sealed is gone',
    ]),
  );
});
