import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Authority } from '@pto/testing';

/** One POST as it came. */
export interface Received {
  readonly id: string;
  readonly event: string;
  /** X-Service-Sequence; NaN where it is not there. */
  readonly sequence: number;
  readonly signature: string;
  readonly body: string;
  readonly rawBody: Buffer;
  readonly at: number;
  readonly path: string;
}

/** How the receiver answers a POST: a status, or by its own hand. */
export type Answer =
  | number
  | ((request: IncomingMessage, response: ServerResponse, received: Received) => void);

/** A partner's HTTPS endpoint: echoes handshakes, keeps what comes. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Handshakes seen. */
  readonly asked: string[];
  /** May be changed at any time. */
  answer: Answer;
  echoes: boolean;
  /** Answers no handshake until the returned function is called. */
  holdHandshakes(): () => void;
  close(): Promise<void>;
}

export const startReceiver = async (
  { cert, key }: Authority,
  {
    answer = 204,
    path = '/hooks',
    clientCa,
  }: {
    answer?: Answer;
    path?: string;
    /** Authority in PEM: clients without a certificate of it are not answered. */
    clientCa?: string;
  } = {},
): Promise<Receiver> => {
  const received: Received[] = [];
  const asked: string[] = [];
  let held: Promise<void> | undefined;
  const server = createServer(
    { cert, key, ...(clientCa && { ca: clientCa, requestCert: true }) },
    (request, response) => {
      const { searchParams } = new URL(request.url!, 'https://localhost');
      if (request.method === 'GET') {
        asked.push(request.url!);
        const respond = () =>
          response.end(receiver.echoes ? searchParams.get('verification') : 'hello');
        if (held) void held.then(respond);
        else respond();
        return;
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const rawBody = Buffer.concat(chunks);
        const one: Received = {
          id: String(request.headers['x-service-delivery']),
          event: String(request.headers['x-service-event']),
          sequence: Number(request.headers['x-service-sequence']),
          signature: String(request.headers['x-service-signature']),
          body: rawBody.toString(),
          rawBody,
          at: Date.now(),
          path: request.url!,
        };
        received.push(one);
        if (typeof receiver.answer === 'function') receiver.answer(request, response, one);
        else response.writeHead(receiver.answer).end();
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `https://localhost:${port}${path}`,
    received,
    asked,
    answer,
    echoes: true,
    holdHandshakes: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
};
