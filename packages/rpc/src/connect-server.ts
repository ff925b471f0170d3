import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import { ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Failure, kinds, rpcCodes, toFailure } from '@pto/errors';
import { listening } from '@pto/lifecycle';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import type { Telemetry } from '@pto/telemetry';
import { createCall } from './call.ts';
import { toFailureMessage } from './failure-message.ts';
import { requestIdHeader } from './grpc-definition.ts';
import type { Implementation } from './implementation.ts';
import { type TlsSettings, type WatchedTls, watchTls } from './tls.ts';

export interface ConnectServer {
  readonly port: number;
  /** Takes no new connections and waits for the running calls. */
  stop(): Promise<void>;
}

/** Serves implementations over the Connect protocol, HTTP/1.1, to whoever carries the token. */
export const startConnectServer = async (options: {
  host: string;
  port: number;
  operatorToken: string;
  implementations: readonly Implementation[];
  tls: TlsSettings;
  telemetry: Telemetry;
}): Promise<ConnectServer> => {
  const call = createCall(options.telemetry);
  const isOperator = sameToken(options.operatorToken);
  const routes = (router: ConnectRouter) => {
    for (const implementation of options.implementations) {
      const methods = implementation.service.methods.map((method) => [
        method.localName,
        (request: Message, context: HandlerContext) =>
          answer(call, isOperator, implementation, method, request, context),
      ]);
      router.service(implementation.service, Object.fromEntries(methods));
    }
  };
  const handler = connectNodeAdapter({
    routes,
    grpc: false,
    grpcWeb: false,
    readMaxBytes: 1024 * 1024,
  });
  const tls = watchTls(options.tls, options.telemetry);
  const server = tls ? secureServer(tls, handler) : createHttpServer(handler);
  server.headersTimeout = 3000;
  server.requestTimeout = 10_000;
  const port = await listening(server, options.port, options.host);
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 3000).unref();
      }),
  };
};

/** New connections are met with the newest certificate. */
const secureServer = (tls: WatchedTls, handler: RequestListener) => {
  const must = { requestCert: true, rejectUnauthorized: true };
  const server = createHttpsServer({ ...tls.current(), ...must }, handler);
  const end = tls.onChange((changed) => server.setSecureContext(changed));
  server.once('close', end);
  return server;
};

const answer = async (
  call: ReturnType<typeof createCall>,
  isOperator: (header: string | null) => boolean,
  implementation: Implementation,
  method: DescMethod,
  request: Message,
  context: HandlerContext,
): Promise<Message> => {
  const timeoutMs = context.timeoutMs();
  try {
    if (!isOperator(context.requestHeader.get('authorization')))
      throw new Failure('OPERATOR_TOKEN_REFUSED', 'The operator token is missing or wrong.');
    return await call(implementation, method, {
      request,
      requestId: context.requestHeader.get(requestIdHeader) ?? undefined,
      traceparent: context.requestHeader.get('traceparent') ?? undefined,
      deadline: timeoutMs === undefined ? undefined : Date.now() + timeoutMs,
      signal: context.signal,
    });
  } catch (thrown) {
    const failure = toFailure(thrown);
    throw new ConnectError(failure.message, rpcCodes[kinds[failure.kind].rpc], undefined, [
      { desc: FailureSchema, value: toFailureMessage(failure) },
    ]);
  }
};

/** Compared by their hashes, in constant time. */
const sameToken = (token: string) => {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const expected = hash(`Bearer ${token}`);
  return (header: string | null) => timingSafeEqual(hash(header ?? ''), expected);
};
