import {
  create,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Client, type ClientUnaryCall, Metadata } from '@grpc/grpc-js';
import { createBatches } from '@pto/concurrency';
import { toFailure } from '@pto/errors';
import type { ProcessName } from '@pto/proto/callers';
import { currentRequestId, currentTraceparent, inSpan } from '@pto/telemetry';
import { identityOf, serverIdentity, type TlsSettings, watchTls } from '../tls.ts';
import {
  encodeOperator,
  grpcFailure,
  grpcMethod,
  keepalive,
  operatorHeader,
  requestIdHeader,
  rpcName,
  startDeadline,
} from '../wire.ts';
import { bundleCallsMax, type Call, sendBundle } from './bundles.ts';
import { channelCredentials } from './grpc-credentials.ts';
import { polled } from './polled-names.ts';

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

/** Maximum size of a bundle's requests in bytes. A server receives messages of at most 1 MiB. */
const bundleBytesMax = 512 * 1024;
/**
 * Maximum difference in ms between the deadlines of a bundle's first call and of any other call in
 * it, because the bundle has the latest deadline.
 */
const deadlineSpreadMs = 1000;

/**
 * Creates a client for all replicas behind `address` (`dns:///orders:50051`,
 * `ipv4:10.0.0.1:1,10.0.0.2:1`): round robin, keepalive, names resolved every 2 s; deadline and trace
 * are passed on. A call is retried only if the proto declares that it has no side effects, and only if
 * no server has responded. Calls of one turn of the event loop share a message, a bundle, except calls
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
  const client = new Client(polled(options.address), channelCredentials(watchTls(tls), check), {
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
    'grpc.service_config_disable_resolution': 1, // a TXT record of the name changes nothing
  });
  const inBundles = createBatches<OneCall, Promise<Message>>(
    async (calls) => {
      const [first] = calls as [OneCall];
      const near = calls.filter((c) => Math.abs(c.deadline - first.deadline) <= deadlineSpreadMs);
      const results = near.length > 1 ? sendBundle(client, near, sendAlone) : undefined;
      return (call) => results?.get(call) ?? sendAlone(client, call);
    },
    {
      inFlightMax: Number.POSITIVE_INFINITY,
      waitingMax: Number.POSITIVE_INFINITY,
      batchMax: bundleCallsMax,
      weight: { of: ({ request }) => request.length, max: bundleBytesMax },
    },
  );
  const calls = service.methods.map((m) => [m.localName, unary(client, inBundles, m)]);
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

/** A call that is to be sent, alone or in a bundle. */
type OneCall = Call & GrpcCallOptions;

const unary = (
  client: Client,
  inBundles: (call: OneCall) => Promise<Promise<Message>>,
  method: DescMethod,
) => {
  const definition = grpcMethod(method);
  const rpc = rpcName(method);
  const hasSideEffects = method.idempotency !== Idempotency.NO_SIDE_EFFECTS;
  return (
    message: MessageInitShape<DescMethod['input']>,
    options: GrpcCallOptions = {},
  ): Promise<Message> =>
    inSpan(rpc, { kind: 'client' }, async () => {
      const call: OneCall = {
        rpc,
        definition,
        hasSideEffects,
        request: definition.requestSerialize(create(method.input, message)),
        requestId: currentRequestId(),
        traceparent: currentTraceparent(),
        ...options,
        deadline: options.deadline ?? performance.now() + defaultTimeoutMs,
      };
      // a single call of a bundle cannot be cancelled, and a bundle carries no operator
      return options.signal || options.operator ? sendAlone(client, call) : await inBundles(call);
    });
};

const sendAlone = (client: Client, call: OneCall): Promise<Message> =>
  new Promise((resolve, reject) => {
    const metadata = new Metadata();
    if (call.requestId) metadata.set(requestIdHeader, call.requestId);
    if (call.traceparent) metadata.set('traceparent', call.traceparent);
    if (call.operator) metadata.set(operatorHeader, encodeOperator(call.operator));
    let sent: ClientUnaryCall | undefined;
    const endDeadline = startDeadline(call.deadline, metadata, (failure) => {
      reject(failure);
      sent?.cancel();
    });
    try {
      sent = client.makeUnaryRequest(
        call.definition.path,
        same,
        call.definition.responseDeserialize,
        call.request,
        metadata,
        {},
        (error, response) => {
          endDeadline();
          if (error) reject(grpcFailure(error));
          else resolve(response!);
        },
      );
      call.signal?.addEventListener('abort', () => sent?.cancel(), { once: true });
    } catch (error) {
      endDeadline();
      reject(toFailure(error)); // the channel was closed
    }
  });

const same = (bytes: Buffer): Buffer => bytes;
