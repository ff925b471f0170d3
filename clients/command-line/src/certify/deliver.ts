/** Sends deliveries to the receiver, as the service does or as a forger would. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { epochSeconds } from '../clock.ts';
import { type Delivery, deliveryHeaders } from '../listen/delivery.ts';
import { send } from '../listen/post.ts';
import type { Attempt, Expected, Seen } from './check.ts';
import { printableBody } from './printable-body.ts';
import type { Trial } from './trial.ts';

/** Part of a response that is read, in bytes: what is shown of it can have a complete secret. */
const responseMaxBytes = 4096;
/** Time in ms to connect and to send half of a body. */
const halfMaxMs = 10_000;
/** Time in ms for the receiver to end its side of a connection whose other side has ended. */
const endMaxMs = 2000;

export interface Signing {
  /** The secrets that sign; that of the receiver by default, none for a request without a header. */
  readonly secrets?: readonly string[];
  /** Seconds that are added to the time of the signature. */
  readonly shiftS?: number;
  /** The body that is sent in place of the signed one. */
  readonly body?: string;
  /** The signature header that is sent in place of the computed one. */
  readonly header?: string;
}

/** Sends a delivery once and records the response. @throws the reason of the signal. */
export const deliver = async (
  { receiver, nextSecret, signal }: Trial,
  seen: Seen,
  { what, delivery, expected }: { what: string; delivery: Delivery; expected: '2xx' | '4xx' },
  signing: Signing = {},
): Promise<void> => {
  const headers = headersOf(delivery, receiver.secret, signing);
  const body = signing.body ?? delivery.body;
  const { status, text, ms } = await send(
    receiver.url,
    { method: 'POST', headers, body },
    { signal, maxBytes: responseMaxBytes },
  );
  seen.attempts.push({
    what,
    delivery: delivery.id,
    event: delivery.event,
    expected,
    status,
    error: status === null ? text : null,
    response: status === null ? '' : printableBody(text, [receiver.secret, nextSecret]),
    ms,
    ok: isExpected(status, expected),
  });
};

const headersOf = (delivery: Delivery, secret: string, signing: Signing) => {
  const { secrets = [secret], shiftS = 0, header } = signing;
  const headers = deliveryHeaders(delivery, secrets, epochSeconds() + shiftS);
  if (header !== undefined) headers['x-service-signature'] = header;
  if (secrets.length === 0) delete headers['x-service-signature'];
  return headers;
};

/** Whether a status is of the expected class. */
export const isExpected = (status: number | null, expected: Expected): boolean =>
  status !== null && Math.floor(status / 100) === Number(expected[0]);

/**
 * Sends half of a delivery's body and ends the connection, as an attempt that the network breaks.
 * Waits for the receiver to end it, too: a retry on another connection could be read before it.
 * @throws the reason of the signal.
 */
export const deliverHalf = async (
  { receiver, signal }: Trial,
  seen: Seen,
  delivery: Delivery,
): Promise<void> => {
  const begun = performance.now();
  const body = Buffer.from(delivery.body);
  const headers = {
    ...headersOf(delivery, receiver.secret, {}),
    'content-length': String(body.length),
  };
  const make = receiver.url.startsWith('https:') ? httpsRequest : httpRequest;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(halfMaxMs)]);
  const request = make(receiver.url, { method: 'POST', headers, signal: ended });
  const closed = new Promise((resolve) => request.once('close', resolve));
  let error: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  request.on('error', (failed: NodeJS.ErrnoException) => {
    error = failed.code ?? failed.message;
  });
  request.on('response', (response) => response.resume());
  request.write(body.subarray(0, body.length >> 1), () => {
    request.socket?.end();
    timer = setTimeout(() => request.destroy(), endMaxMs);
  });
  await closed;
  clearTimeout(timer);
  signal.throwIfAborted();
  const isRefused = error === 'ECONNREFUSED' || error === 'ENOTFOUND';
  seen.attempts.push({
    what: 'half of a delivery, then the end of the connection',
    delivery: delivery.id,
    event: delivery.event,
    expected: 'lost',
    status: null,
    error: isRefused ? error : null,
    response: '',
    ms: Math.round(performance.now() - begun),
    ok: !isRefused,
  });
};

/** Returns what an attempt has seen, in words. */
export const attemptText = (attempt: Attempt): string => {
  const { what, event, expected, status, error, response, ms, ok } = attempt;
  const sent = event === null || event === what ? what : `${what} (${event})`;
  if (status === null) return `${sent}: ${error ?? 'ended'}${ok ? '' : `, expected ${expected}`}`;
  const fault = error === null ? '' : `, but ${error}`;
  // the body of a response that accepts says nothing
  const body = response !== '' && !(ok && isExpected(status, '2xx')) ? `: ${response}` : '';
  const other = ok || error !== null ? '' : `, expected ${expected}`;
  return `${sent}: ${status} in ${ms} ms${fault}${body}${other}`;
};
