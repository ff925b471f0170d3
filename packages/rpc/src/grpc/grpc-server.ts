import { X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { type DescMethod, type Message, toBinary } from '@bufbuild/protobuf';
import {
  Metadata,
  Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type Failure, kinds, rpcCodes } from '@pto/errors';
import { BundleService } from '@pto/proto/rpc/v1/bundle';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import type { Telemetry } from '@pto/telemetry';
import { createCall, type Implementation, peersByConnection } from '../call.ts';
import { type TlsSettings, watchTls } from '../tls.ts';
import {
  failureHeader,
  fromWallClock,
  grpcDefinition,
  keepalive,
  operatorHeader,
  requestIdHeader,
  requestMaxBytes,
  toFailureMessage,
} from '../wire.ts';
import { serveBundles } from './bundles.ts';
import { serverCredentials } from './grpc-credentials.ts';

export interface GrpcServer {
  readonly port: number;
  /** Accepts no new calls, waits up to `graceMs` for the running calls, then closes. */
  stop(graceMs?: number): Promise<void>;
}

/** Serves implementations over gRPC. */
export const startGrpcServer = async (options: {
  host: string;
  port: number;
  implementations: readonly Implementation[];
  tls: TlsSettings;
  telemetry: Telemetry;
}): Promise<GrpcServer> => {
  const server = new Server({
    'grpc.max_receive_message_length': Math.max(
      ...options.implementations.map(({ service }) => requestMaxBytes(service)),
    ),
    ...keepalive,
  });
  const tls = watchTls(options.tls, options.telemetry);
  const peers = peersByConnection(options.tls.tlsIdentityDomain);
  const call = createCall(options.telemetry);
  for (const implementation of options.implementations) {
    const { service } = implementation;
    const methods = service.methods.map((m) => [
      m.localName,
      unary(call, peers, implementation, m),
    ]);
    server.addService(
      grpcDefinition(service),
      Object.fromEntries(methods) as UntypedServiceImplementation,
    );
  }
  const callMany = serveBundles({
    implementations: options.implementations,
    call,
    peerOf: (stream) => peers(connectionOf(stream), () => certificateOf(stream)),
    signalOf: cancellation,
  });
  server.addService(grpcDefinition(BundleService), {
    callMany,
  } as unknown as UntypedServiceImplementation);
  const bind = promisify(server.bindAsync.bind(server));
  const port = await bind(`${options.host}:${options.port}`, serverCredentials(tls));
  return {
    port,
    stop: (graceMs = 5000) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.forceShutdown(), graceMs);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
};

type ServerSurfaceCall = ServerUnaryCall<Message, Message> | ServerWritableStream<Message, Message>;

const unary =
  (
    call: ReturnType<typeof createCall>,
    peers: ReturnType<typeof peersByConnection>,
    implementation: Implementation,
    method: DescMethod,
  ) =>
  (incoming: ServerUnaryCall<Message, Message>, respond: sendUnaryData<Message>): void => {
    call(implementation, method, {
      request: incoming.request,
      peer: peers(connectionOf(incoming), () => certificateOf(incoming)),
      operator: first(incoming.metadata, operatorHeader),
      requestId: first(incoming.metadata, requestIdHeader),
      traceparent: first(incoming.metadata, 'traceparent'),
      deadline: fromWallClock(incoming.getDeadline()),
      signal: cancellation(incoming),
    }).then(
      (response) => respond(null, response),
      (failure: Failure) => respond(status(failure)),
    );
  };

/**
 * Returns the HTTP/2 session of a call, as the key of the peer cache; a new object if there is no
 * session. grpc-js offers only the certificate and parses it for each call, which takes as long as
 * many handlers.
 */
const connectionOf = (incoming: ServerSurfaceCall): object => {
  const { call } = incoming as unknown as { call?: { stream?: { session?: object } } };
  return call?.stream?.session ?? {};
};

/** Returns the peer's certificate; undefined if it was not verified. */
const certificateOf = (incoming: ServerSurfaceCall) => {
  const raw = incoming.getAuthContext()?.sslPeerCertificate?.raw;
  return raw && new X509Certificate(raw);
};

const first = (metadata: Metadata, name: string): string | undefined =>
  metadata.get(name)[0]?.toString();

const status = (failure: Failure) => {
  const metadata = new Metadata();
  metadata.set(failureHeader, Buffer.from(toBinary(FailureSchema, toFailureMessage(failure))));
  metadata.set('grpc-retry-pushback-ms', '-1'); // no retry: the server was reached, so a retry only adds load
  return { code: rpcCodes[kinds[failure.kind].rpc], details: failure.kind, metadata };
};

/** Returns the signal of a call, aborted when the caller cancels. */
const cancellation = (call: ServerSurfaceCall): AbortSignal => {
  const controller = new AbortController();
  if (call.cancelled) controller.abort();
  else call.on('cancelled', () => controller.abort());
  return controller.signal;
};
