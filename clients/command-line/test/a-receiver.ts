/** A receiver as the documentation describes it, with at most one flaw. */
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Verdict, verify } from '@pto/webhook-verifier';
import { listening, stopped } from './a-sandbox.ts';

export const secret = `whsec_canary${'s'.repeat(37)}`;
export const nextSecret = `whsec_canary${'n'.repeat(37)}`;

/** A complete delivery before the receiver responds. */
export interface Arrived {
  readonly header: string | undefined;
  readonly rawBody: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a flaw looks into whatever came
  readonly body: any;
  readonly verdict: Verdict;
  /** The number of deliveries before this one. */
  readonly before: number;
  /** Whether a delivery with this id was stored before. */
  readonly isKnown: boolean;
  /** Whether a delivery with this id broke before its body was complete. */
  readonly hasBroken: boolean;
  /** The statuses of stored deliveries of this order. */
  readonly statuses: readonly string[];
}

type Response = number | 'never' | null;

/** What a receiver does wrong, or in its own way. */
export interface Flaw {
  /** The response to the handshake; that of a right one is the nonce. */
  readonly handshake?: (nonce: string) => string;
  readonly secrets?: readonly string[];
  readonly toleranceSeconds?: number;
  /** The bytes that the receiver verifies in place of the received ones. */
  readonly verified?: (rawBody: Buffer) => string;
  /** The status of the response; null for the right one, 'never' for none. */
  readonly status?: (arrived: Arrived) => Response | Promise<Response>;
  /** The body of a response to a delivery; empty by default. */
  readonly body?: string;
}

/** Starts a receiver; `stored` has the events that it accepted, by delivery id. */
export const startFlawed = async (flaw: Flaw = {}) => {
  const stored = new Map<string, Arrived>();
  const begun = new Set<string>();
  let count = 0;
  const arrive = async (request: IncomingMessage, id: string): Promise<Arrived> => {
    const hasBroken = begun.has(id) && !stored.has(id);
    begun.add(id);
    const rawBody = await buffer(request);
    const header = request.headers['x-service-signature'] as string | undefined;
    const { secrets = [secret, nextSecret], toleranceSeconds = 300 } = flaw;
    const signed = flaw.verified?.(rawBody) ?? rawBody;
    const verdict = await verify({ rawBody: signed, header, secrets, toleranceSeconds });
    const body = JSON.parse(rawBody.toString());
    const statuses = [...stored.values()]
      .filter(({ body: { data } }) => data.order.id === body.data.order.id)
      .map(({ body: { data } }) => data.order.status);
    const about = { before: count++, isKnown: stored.has(id), hasBroken, statuses };
    return { header, rawBody, body, verdict, ...about };
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://receiver');
    if (request.method === 'GET') {
      const nonce = url.searchParams.get('verification') ?? '';
      return response.end(flaw.handshake?.(nonce) ?? nonce);
    }
    const id = request.headers['x-service-delivery'] as string;
    const arrived = await arrive(request, id).catch(() => null);
    if (!arrived) return;
    const status = (await flaw.status?.(arrived)) ?? (arrived.verdict.valid ? 204 : 401);
    if (status === 'never') return;
    if (status < 300) stored.set(id, arrived);
    return response.writeHead(status).end(status === 204 ? undefined : flaw.body);
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/hooks?token=canary`,
    stored,
    stop: () => stopped(server),
  };
};
