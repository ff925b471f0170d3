import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Client, Metadata } from '@grpc/grpc-js';
import { type Failure, toFailure } from '@pto/errors';
import type { ProcessName } from '@pto/proto/callers';
import { currentRequestId, currentTraceparent, inSpan } from '@pto/telemetry';
import { identityOf, serverIdentity } from '../peers.ts';
import { type TlsSettings, watchTls } from '../tls.ts';
import { encodeOperator, operatorHeader, requestIdHeader, rpcName } from '../wire.ts';
import { createBundles } from './bundle-client.ts';
import { channelCredentials } from './grpc-credentials.ts';
import { grpcFailure, grpcMethod, keepalive, toWallClock } from './grpc-wire.ts';

export interface GrpcCallOptions {
  /** A time of `performance.now()`; by default 10 s from now. */
  readonly deadline?: number;
  readonly signal?: AbortSignal;
  /** The operator for whom the operators service calls. */
  readonly operator?: string;
}

/** One function per RPC. Each rejects with a Failure. */
export type GrpcClient<S extends DescService> = {
  readonly [K in keyof S['method']]: (
    request: MessageInitShape<S['method'][K]['input']>,
    options?: GrpcCallOptions,
  ) => Promise<MessageShape<S['method'][K]['output']>>;
} & { close(): void };

const defaultTimeoutMs = 10_000;
/**
 * Maximum size of a response in bytes, larger than the two largest responses. A list page is at
 * most 1 MiB of JSON (decision 56), and its message is smaller. The largest order comes from a body
 * of 256 KiB and a seal command of 1 MiB; its history contains these seals once, and its other
 * payloads have at most 16 KiB each.
 */
const responseMaxBytes = 8 * 1024 * 1024;

/**
 * Creates a client for all replicas behind `address` (`dns:///orders:50051`,
 * `ipv4:10.0.0.1:1,10.0.0.2:1`): round robin, keepalive; deadline and trace are passed on. A call
 * is retried only if the proto declares that it has no side effects, and only if no server has
 * responded. Calls of one turn of the event loop share a message (bundle-client.ts), except calls
 * with a signal or an operator.
 */
export const grpcClient = <S extends DescService>(
  service: S,
  options: {
    address: string;
    /** The process whose certificate the replicas must have. */
    server: ProcessName;
    tls: TlsSettings;
  },
): GrpcClient<S> => {
  const { server, tls } = options;
  const check = serverIdentity(server, tls.tlsIdentityDomain);
  const client = new Client(options.address, channelCredentials(watchTls(tls), check), {
    'grpc.service_config': JSON.stringify(serviceConfig(service)),
    'grpc.ssl_target_name_override': identityOf(server, tls.tlsIdentityDomain),
    // with the default of 64 KiB, each 64 KiB of all calls together costs a turn of both event
    // loops
    'grpc-node.flow_control_window': responseMaxBytes,
    'grpc.max_receive_message_length': responseMaxBytes,
    ...keepalive,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2000,
    'grpc.dns_min_time_between_resolutions_ms': 1000,
  });
  const bundle = createBundles(client);
  const calls = service.methods.map((m) => [m.localName, unary(client, bundle, m)]);
  return { ...Object.fromEntries(calls), close: () => client.close() } as GrpcClient<S>;
};

const serviceConfig = (service: DescService) => ({
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: service.methods
    .filter((m) => m.idempotency === Idempotency.NO_SIDE_EFFECTS)
    .map((m) => ({
      name: [{ service: service.typeName, method: m.name }],
      retryPolicy: {
        maxAttempts: 3,
        initialBackoff: '0.05s',
        maxBackoff: '0.5s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    })),
});

const guarded = (work: () => void, reject: (failure: Failure) => void): void => {
  try {
    work();
  } catch (error) {
    reject(toFailure(error));
  }
};

const same = (bytes: Buffer): Buffer => bytes;

const unary = (client: Client, bundle: ReturnType<typeof createBundles>, method: DescMethod) => {
  const definition = grpcMethod(method);
  const rpc = rpcName(method);
  const hasSideEffects = method.idempotency !== Idempotency.NO_SIDE_EFFECTS;
  return (
    message: MessageInitShape<DescMethod['input']>,
    options: GrpcCallOptions = {},
  ): Promise<Message> =>
    inSpan(rpc, { kind: 'client' }, () => {
      const requestId = currentRequestId();
      const traceparent = currentTraceparent();
      const request = definition.requestSerialize(create(method.input, message));
      const deadline = options.deadline ?? performance.now() + defaultTimeoutMs;
      return new Promise<Message>((resolve, reject) => {
        const call = (): void => {
          const metadata = new Metadata();
          if (requestId) metadata.set(requestIdHeader, requestId);
          if (traceparent) metadata.set('traceparent', traceparent);
          if (options.operator) metadata.set(operatorHeader, encodeOperator(options.operator));
          const sent = client.makeUnaryRequest(
            definition.path,
            same,
            definition.responseDeserialize,
            request,
            metadata,
            { deadline: toWallClock(deadline) },
            (error, response) => (error ? reject(grpcFailure(error)) : resolve(response!)),
          );
          options.signal?.addEventListener('abort', () => sent.cancel(), { once: true });
        };
        /**
         * Sends the call separately. A closed channel throws; that becomes a rejection, because a
         * bundle calls this function where no caller could catch the error.
         */
        const callAlone = (): void => guarded(call, reject);
        // a single call of a bundle cannot be cancelled, and a bundle carries no operator
        if (options.signal || options.operator) return callAlone();
        bundle({
          rpc,
          hasSideEffects,
          request,
          deadline,
          requestId,
          traceparent,
          respond: (bytes) => guarded(() => resolve(fromBinary(method.output, bytes)), reject),
          reject,
          callAlone,
        });
      });
    });
};
