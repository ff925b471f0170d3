/** A server that gives scripted responses, and remembers the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, type ClientOptions } from '../src/index.ts';

export type Reply = (response: ServerResponse) => void;

export interface Seen {
  readonly at: number;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A response with JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

export const error = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(status, { error: { code, message: 'because' } }, headers);

/** The connection ends without a response. */
export const cut: Reply = (response) => response.destroy();

/** A response without an end. */
export const endless: Reply = (response) => {
  const part = Buffer.alloc(1024 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(part)) {}
  };
  response.writeHead(200).on('drain', more);
  more();
};

export const key = 'svc_test_canary';

/** Each request gets the next reply; the last one is repeated. */
export const startServer = async (...replies: Reply[]) => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const at = performance.now();
    seen.push({ at, method, url, headers, body: await text(request) });
    replies[Math.min(seen.length, replies.length) - 1]!(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/partner/v1`;
  return {
    baseUrl,
    seen,
    client: (options: Partial<ClientOptions> = {}) =>
      new Client({ baseUrl, apiKey: key, ...options }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
