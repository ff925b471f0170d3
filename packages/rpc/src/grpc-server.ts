import type { DescMethod, Message } from '@bufbuild/protobuf';
import {
  Metadata,
  Server,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type Failure, kinds, rpcCodes } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import { createCall } from './call.ts';
import { failureToBytes } from './failure-message.ts';
import { serverCredentials } from './grpc-credentials.ts';
import { failureHeader, grpcDefinition, requestIdHeader } from './grpc-definition.ts';
import { addHealth } from './grpc-health.ts';
import type { Implementation } from './implementation.ts';
import { type TlsSettings, type WatchedTls, watchTls } from './tls.ts';

export interface GrpcServer {
  readonly port: number;
  /** Takes no new calls, lets the running ones end for up to `graceMs`, then closes. */
  stop(graceMs?: number): Promise<void>;
}

/** Serves implementations over gRPC, with grpc.health.v1 beside them. */
export const startGrpcServer = async (options: {
  host: string;
  port: number;
  implementations: readonly Implementation[];
  tls: TlsSettings;
  telemetry: Telemetry;
}): Promise<GrpcServer> => {
  const server = new Server({
    'grpc.max_receive_message_length': 1024 * 1024,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 3000,
    // a channel asks for names again only when a connection ends: so it finds new replicas
    'grpc.max_connection_age_ms': 300_000,
    'grpc.max_connection_age_grace_ms': 30_000,
  });
  const call = createCall(options.telemetry);
  for (const implementation of options.implementations) {
    const { service } = implementation;
    const methods = service.methods.map((m) => [m.localName, unary(call, implementation, m)]);
    server.addService(
      grpcDefinition(service),
      Object.fromEntries(methods) as UntypedServiceImplementation,
    );
  }
  const health = addHealth(server);
  const tls = watchTls(options.tls, options.telemetry);
  const port = await bind(server, `${options.host}:${options.port}`, tls);
  return {
    port,
    stop: (graceMs = 5000) => {
      health.stop();
      return new Promise((resolve) => {
        const timer = setTimeout(() => server.forceShutdown(), graceMs);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
};

const bind = (server: Server, address: string, tls: WatchedTls | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, serverCredentials(tls), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });

const unary =
  (call: ReturnType<typeof createCall>, implementation: Implementation, method: DescMethod) =>
  (incoming: ServerUnaryCall<Message, Message>, answer: sendUnaryData<Message>): void => {
    const gone = new AbortController();
    incoming.on('cancelled', () => gone.abort());
    const deadline = incoming.getDeadline();
    call(implementation, method, {
      request: incoming.request,
      requestId: first(incoming.metadata, requestIdHeader),
      traceparent: first(incoming.metadata, 'traceparent'),
      deadline: finite(typeof deadline === 'number' ? deadline : deadline.getTime()),
      signal: gone.signal,
    }).then(
      (response) => answer(null, response),
      (failure: Failure) => answer(status(failure)),
    );
  };

const first = (metadata: Metadata, name: string): string | undefined =>
  metadata.get(name)[0]?.toString();

const finite = (n: number): number | undefined => (Number.isFinite(n) ? n : undefined);

const status = (failure: Failure) => {
  const metadata = new Metadata();
  metadata.set(failureHeader, Buffer.from(failureToBytes(failure)));
  metadata.set('grpc-retry-pushback-ms', '-1'); // the server was reached: a retry only adds load
  return { code: rpcCodes[kinds[failure.kind].rpc], details: failure.kind, metadata };
};
