/** A sandbox whose courier closes an order at once, with a history and proofs that verify. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as jsonOf } from 'node:stream/consumers';
import { vkeyOfSigner } from '../../../verifiers/custody-verifier/src/note/sign-note.ts';
import {
  entries,
  orderId,
  proof,
} from '../../../verifiers/custody-verifier/test/samples/a-proof.ts';
import { logKey } from '../../../verifiers/custody-verifier/test/samples/a-signed-log.ts';

/** The key that signed the proofs of this sandbox. */
export const trustedKeys = [vkeyOfSigner(logKey)];

const samplesId = '01900000-0000-7000-8000-00000000000b';
const tamperedId = '01900000-0000-7000-8000-00000000000c';
const tampered = { ...proof, entries: proof.entries.toReversed() };

/** What the sandbox does wrong. */
export interface SandboxFaults {
  readonly environment?: string;
  /** The proof of the scenario tampered_proof is genuine. */
  readonly genuineProofs?: boolean;
  readonly noCourier?: boolean;
  /** Numbers of the walked order's entries, which are 1, 2, 3 otherwise. */
  readonly numbers?: readonly number[];
}

const event = (at: number, number: number) => {
  const { id, type, ts_utc, prev_event_hash, event_hash } = entries[at]!;
  const status = at === entries.length - 1 ? 'closed' : type.slice('order.'.length);
  const order = { id: orderId, external_id: 'w', status, updated_at: ts_utc, sequence: number };
  return {
    number: at + 1,
    event: type,
    occurred_at: ts_utc,
    data: { order, custody: { sequence: number, head_hash: event_hash } },
    links: { order: `https://api.example/orders/${orderId}` },
    custody: { id, leaf_index: at, prev_event_hash, event_hash },
  };
};

/** Starts the sandbox. `created` has the scenario of each created order. */
export const startSandbox = async (faults: SandboxFaults = {}) => {
  const { environment = 'sandbox', numbers = [1, 2, 3] } = faults;
  const created: (string | null)[] = [];
  const idOf = (scenario: string | null) =>
    scenario === null ? samplesId : scenario === 'auto' ? orderId : tamperedId;
  const answers: [RegExp, (url: URL) => object][] = [
    [/\/ping$/, () => ({ status: 'ok', organization: 'Demo', environment })],
    [/\/sandbox\/orders\/[^/]+\/steps$/, () => ({ run: faults.noCourier ? null : {} })],
    [/\/orders\/[^/]+\/events$/, () => entries],
    [
      /\/orders\/[^/]+\/custody\/proof$/,
      ({ pathname }) => (pathname.includes(tamperedId) && !faults.genuineProofs ? tampered : proof),
    ],
    [
      /\/events$/,
      ({ searchParams }) => {
        const events = created.includes('auto') ? numbers.map((n, at) => event(at, n)) : [];
        const after = Number(searchParams.get('after') ?? 0);
        const entry = { loc: ['query', 'after'], msg: 'beyond', type: 'x' };
        if (after > events.length)
          return { detail: [{ ...entry, ctx: { newest: events.length } }] };
        const data = events.slice(after);
        return { data, next_after: events.length, has_more: false, as_of: '', checkpoint: null };
      },
    ],
  ];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://sandbox');
    const answer = (value: object) =>
      response
        .writeHead('detail' in value ? 422 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(value));
    if (request.method === 'POST') {
      const scenario = (request.headers['x-sandbox-courier'] as string | undefined) ?? null;
      created.push(scenario);
      const { external_id } = (await jsonOf(request)) as { external_id: string };
      return answer({ id: idOf(scenario), external_id, status: 'SUBMITTED' });
    }
    return answer(answers.find(([form]) => form.test(url.pathname))![1](url));
  });
  return {
    baseUrl: `http://127.0.0.1:${await listening(server)}/api/partner/v1`,
    created,
    stop: () => stopped(server),
  };
};

export const listening = async (server: Server, port = 0): Promise<number> => {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  return (server.address() as AddressInfo).port;
};

export const stopped = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
