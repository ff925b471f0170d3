/** An API with the feed of one organization, and a receiver that records what comes. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening, stopped } from './a-sandbox.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const orderId = '01900000-0000-7000-8000-00000000000a';
export const otherId = '01900000-0000-7000-8000-00000000000b';

/** Starts the API. `add` appends an event, which a waiting request gets at once. */
export const startFeed = async (text = 'REF') => {
  const events: object[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://feed');
    const answer = (value: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname.endsWith('/ping'))
      return answer({ status: 'ok', organization: 'Demo', environment: 'test' });
    const known = [
      { id: orderId, external_id: text },
      { id: otherId, external_id: 'OTHER' },
    ];
    if (pathname.endsWith('/orders')) {
      const found = known.filter((one) => one.external_id === searchParams.get('external_id'));
      return answer({ data: found, next_cursor: null, as_of: '' });
    }
    if (pathname.includes('/orders/')) {
      const found = known.find(({ id }) => pathname.endsWith(id));
      if (found) return answer(found);
      response.writeHead(404, { 'content-type': 'application/json' });
      return void response.end('{"error": {"code": "NOT_FOUND", "message": "no such order"}}');
    }
    const [after, limit, wait] = ['after', 'limit', 'wait'].map((name) =>
      Number(searchParams.get(name) ?? 0),
    ) as [number, number, number];
    if (after > events.length) {
      const ctx = { newest: events.length };
      const entry = { loc: ['query', 'after'], msg: 'beyond the feed', type: 'x', ctx };
      response.writeHead(422, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ detail: [entry] }));
    }
    const given = searchParams.get('feed');
    if (given !== null && given !== 'f00') {
      const entry = { loc: ['query', 'feed'], msg: 'of another feed', type: 'x' };
      response.writeHead(422, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ detail: [entry] }));
    }
    const page = () => {
      const data = events.slice(after, after + limit);
      const next_after = after + data.length;
      answer({
        ...{ data, next_after, feed: 'f00' },
        has_more: next_after < events.length,
        as_of: '',
        checkpoint: null,
      });
    };
    if (wait > 0 && events.length <= after) return void waiting.push(page);
    return page();
  });
  const port = await listening(server);
  const addOf = (id: string, external_id: string, names: readonly string[]) => {
    for (const event of names) {
      const number = events.length + 1;
      const order = {
        id,
        external_id,
        status: event.slice('order.'.length),
        updated_at: '2026-01-15T09:30:00.000Z',
        sequence: number,
      };
      events.push({
        number,
        event,
        occurred_at: '2026-01-15T09:30:00.000Z',
        data: { order, custody: { sequence: number, head_hash: 'a'.repeat(64) } },
        links: { order: `https://api.example/orders/${id}` },
        custody: {
          id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
          leaf_index: number,
          prev_event_hash: '',
          event_hash: '',
        },
      });
    }
    for (const page of waiting.splice(0)) page();
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/api/partner/v1`,
    add: (...names: string[]) => addOf(orderId, text, names),
    /** Appends events of another order, whose `external_id` is OTHER. */
    addOther: (...names: string[]) => addOf(otherId, 'OTHER', names),
    /** Requests that wait for an event. */
    waiting: () => waiting.length,
    stop: async () => {
      waiting = [];
      await stopped(server);
    },
  };
};

/** What a receiver does with a request: a status, or nothing until the function is called. */
export type Answer = number | ((respond: (status: number) => void) => void);

/** Starts a receiver. Each request gets the next answer, then 204. */
export const startPartner = async (...answers: Answer[]) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    const respond = (status: number) => void response.writeHead(status).end();
    const answer = answers.shift() ?? 204;
    if (typeof answer === 'number') respond(answer);
    else answer(respond);
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    numbers: () => received.map(({ body }) => JSON.parse(body.toString()).sequence as number),
    answers,
    stop: () => stopped(server),
  };
};
