import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import {
  ConnectError,
  type ConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { kinds, rpcCodes, toFailure } from '@pto/errors';
import { listening } from '@pto/lifecycle';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import type { Telemetry } from '@pto/telemetry';
import { createCall, type Implementation, type Incoming, peersByConnection } from '../call.ts';
import { type Peer, type TlsSettings, watchTls } from '../tls.ts';
import {
  operatorHeader,
  partyHeader,
  requestIdHeader,
  requestMaxBytes,
  toFailureMessage,
} from '../wire.ts';

export interface ConnectServer {
  readonly port: number;
  /** Accepts no new connections and waits up to 3 s for the running calls. */
  stop(): Promise<void>;
}

const peerKey = createContextKey<Peer | undefined>(undefined);

/**
 * Serves implementations over the Connect protocol (HTTP/1.1) to the callers that the table of
 * callers allows.
 */
export const startConnectServer = async (options: {
  host: string;
  port: number;
  implementations: readonly Implementation[];
  tls: TlsSettings;
  telemetry: Telemetry;
}): Promise<ConnectServer> => {
  const call = createCall(options.telemetry);
  const peers = peersByConnection(options.tls.tlsIdentityDomain);
  const routes = (router: ConnectRouter) => {
    for (const implementation of options.implementations) {
      const methods = implementation.service.methods.map((method) => [
        method.localName,
        (request: Message, context: HandlerContext) =>
          serve(call, implementation, method, request, context, {
            peer: context.values.get(peerKey),
            operator: context.requestHeader.get(operatorHeader) ?? undefined,
            party: context.requestHeader.get(partyHeader) ?? undefined,
          }),
      ]);
      const { service } = implementation;
      const readMaxBytes = requestMaxBytes(service);
      router.service(service, Object.fromEntries(methods), { readMaxBytes });
    }
  };
  const handler = connectNodeAdapter({
    routes,
    grpc: false,
    grpcWeb: false,
    contextValues: ({ socket }) => {
      const peer = peers(socket, () => certificateOf(socket as TLSSocket));
      return arrivedNow().set(peerKey, peer);
    },
  });
  const tls = watchTls(options.tls, options.telemetry);
  const must = { requestCert: true, rejectUnauthorized: true };
  const server = createServer({ ...tls.current(), ...must }, handler);
  server.once(
    'close',
    tls.onChange((changed) => server.setSecureContext(changed)), // for each new connection
  );
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

/** Returns the peer's certificate; undefined if it was not verified. */
const certificateOf = (socket: TLSSocket) =>
  socket.authorized ? socket.getPeerX509Certificate() : undefined;

const arrivedAt = createContextKey(0);

/** Creates a call's context values, with the time at which its headers arrived. */
export const arrivedNow = () => createContextValues().set(arrivedAt, performance.now());

/**
 * Returns the deadline of a call as a time of `performance.now()`; undefined if the caller sent
 * none. Connect's own `timeoutMs()` follows the wall clock, so a step while the body is read would
 * end the call.
 */
const deadlineOf = ({ requestHeader, values }: HandlerContext): number | undefined => {
  const timeoutMs = requestHeader.get('connect-timeout-ms');
  return timeoutMs === null ? undefined : values.get(arrivedAt) + Number(timeoutMs);
};

/** Runs a call that was received over Connect, and converts its failure. */
export const serve = async (
  call: ReturnType<typeof createCall>,
  implementation: Implementation,
  method: DescMethod,
  request: Message,
  context: HandlerContext,
  caller: Pick<Incoming, 'peer' | 'operator' | 'party'>,
): Promise<Message> => {
  const { requestHeader } = context;
  try {
    return await call(implementation, method, {
      ...caller,
      request,
      requestId: requestHeader.get(requestIdHeader) ?? undefined,
      traceparent: requestHeader.get('traceparent') ?? undefined,
      deadline: deadlineOf(context),
      signal: context.signal,
    });
  } catch (thrown) {
    throw toConnectError(thrown);
  }
};

/**
 * Converts any thrown value to a Failure, and the Failure to an error of the Connect protocol with
 * the Failure's public part as a detail.
 */
export const toConnectError = (thrown: unknown): ConnectError => {
  const failure = toFailure(thrown);
  return new ConnectError(failure.message, rpcCodes[kinds[failure.kind].rpc], undefined, [
    { desc: FailureSchema, value: toFailureMessage(failure) },
  ]);
};
