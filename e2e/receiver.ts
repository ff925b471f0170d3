/** A partner's HTTPS endpoint that remembers what came. */
import { createServer } from 'node:https';
import { until } from '@pto/testing';
import { verifySignature } from '@pto/webhook-verifier';
import type { LocalStack } from './local-stack.ts';
import { partner } from './partner.ts';
import { receiverTls, serveOnLoopback } from './proxies.ts';

export interface Received {
  readonly delivery: string;
  readonly event: string;
  /** When it came, in milliseconds since the epoch. */
  readonly at: number;
  readonly bytes: string;
  readonly signature: string;
  /** Whether the receiver's secret of that moment has signed it. */
  readonly signed: Promise<boolean>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

/** Whether the signature of a delivery is one of these secrets' and was fresh at arrival. */
export const isSigned = async (
  { at, bytes, signature: header }: Pick<Received, 'at' | 'bytes' | 'signature'>,
  secrets: readonly string[],
): Promise<boolean> => {
  if (secrets.length === 0) return false;
  const rawBody = Buffer.from(bytes);
  return (await verifySignature({ rawBody, header, secrets, now: at / 1000 })).valid;
};

/** Listens on a loopback port with the local stack's certificate; responds 204 by default. */
export const startReceiver = async (stack: LocalStack) => {
  const received: Received[] = [];
  /** Without a status no delivery is responded to. */
  const state = {
    ...{ secret: '', body: '' },
    /** What it returns instead of the nonce. */
    nonce: undefined as string | undefined,
    status: 204 as number | null,
    handshakes: 0,
    held: Promise.resolve(),
  };
  const server = createServer(receiverTls(stack), (request, response) => {
    const nonce = new URL(request.url ?? '/', 'https://x').searchParams.get('verification');
    if (request.method === 'GET') {
      state.handshakes++;
      void state.held.then(() => response.end(state.nonce ?? nonce ?? ''));
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts).toString();
      const header = (name: string) => String(request.headers[name] ?? '');
      const one = { at: Date.now(), bytes, signature: header('x-service-signature') };
      received.push({
        ...one,
        delivery: header('x-service-delivery'),
        event: header('x-service-event'),
        signed: isSigned(one, state.secret === '' ? [] : [state.secret]),
        body: JSON.parse(bytes),
      });
      if (state.status !== null) response.writeHead(state.status).end(state.body);
    });
  });
  const { port, stop } = await serveOnLoopback(server);
  const url = `https://localhost:${port}/hooks`;
  return {
    url,
    received,
    state,
    /**
     * Creates the endpoint here of the key's partner; signatures are judged by its secret from now on. Repeats
     * a handshake that a busy machine was late for: an endpoint without one gets no events.
     */
    subscribe: async (key?: string) => {
      const { post } = partner(stack, key);
      const answer = await post('/webhooks', { url });
      const { id, secret, status } = answer.body;
      state.secret = secret;
      const verify = async () => {
        const { body } = await post(`/webhooks/${id}/verify`);
        return body.verified === true;
      };
      if (status !== 'ENABLED') await until(verify, { what: `the handshake of endpoint ${id}` });
      return answer;
    },
    stop,
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
