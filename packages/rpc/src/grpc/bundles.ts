import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type Client,
  type ClientReadableStream,
  Metadata,
  type MethodDefinition,
  type ServerWritableStream,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { createBatches } from '@pto/concurrency';
import { Failure, toFailure } from '@pto/errors';
import {
  type BundledCall,
  BundledCallSchema,
  type BundledResult,
  BundledResultSchema,
  BundleService,
  type CallManyRequest,
  CallManyRequestSchema,
  type CallManyResponse,
  CallManyResponseSchema,
} from '@pto/proto/rpc/v1/bundle';
import type { createCall, Implementation } from '../call.ts';
import type { Peer } from '../tls.ts';
import {
  fromFailureMessage,
  grpcFailure,
  grpcMethod,
  isUnavailable,
  rpcName,
  startDeadline,
  toFailureMessage,
} from '../wire.ts';

/**
 * Both ends of a bundle: the calls that a process makes in one turn of the event loop, in one message
 * (rpc/v1/bundle.proto). Bundles serve R1: CPU time of a read in the gateway 1,021 to 423 µs
 * (docs/performance.md).
 */
export const bundleDefinition = grpcMethod(BundleService.method.callMany);

/** Maximum number of calls per bundle. */
export const bundleCallsMax = 64;
/** Maximum size of the results in one message, in bytes, unless the message has a single result. */
const resultBytesMax = 1024 * 1024;

export interface Call {
  /** Full name of the RPC, e.g. `orders.v1.OrderService/GetOrder`. */
  readonly rpc: string;
  readonly definition: MethodDefinition<Message, Message>;
  readonly hasSideEffects: boolean;
  readonly request: Buffer;
  /** A time of `performance.now()`. */
  readonly deadline: number;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
}

/**
 * Sends calls as one message. If the bundle ends without the result of a call, the call is sent
 * again, separately, if no server has responded, the call has no side effects and its deadline has
 * not passed; otherwise it rejects.
 * @throws Failure INTERNAL if the channel was closed.
 */
export const sendBundle = <C extends Call>(
  client: Client,
  calls: readonly C[],
  sendAlone: (client: Client, call: C) => Promise<Message>,
): ReadonlyMap<C, Promise<Message>> => {
  const now = performance.now();
  const request = create(CallManyRequestSchema, {
    calls: calls.map(({ rpc, request, deadline, requestId = '', traceparent = '' }) =>
      create(BundledCallSchema, {
        method: rpc,
        request,
        timeoutMs: Math.max(1, Math.ceil(deadline - now)),
        requestId,
        traceparent,
      }),
    ),
  });
  const open = new Map(
    calls.map((call, place) => [place, { call, ...Promise.withResolvers<Message>() }]),
  );
  const results = new Map([...open.values()].map(({ call, promise }) => [call, promise]));
  const latest = Math.max(...calls.map(({ deadline }) => deadline));
  const { stream, endDeadline } = openBundle(client, request, latest, (failure) => {
    for (const { reject } of open.values()) reject(failure);
    open.clear();
  });
  stream.on('data', (message: Message) => {
    for (const { place, outcome } of (message as CallManyResponse).results) {
      const waiting = open.get(place);
      open.delete(place);
      if (outcome.case === 'failure') waiting?.reject(fromFailureMessage(outcome.value));
      else
        try {
          const bytes = Buffer.from(outcome.value ?? []);
          waiting?.resolve(waiting.call.definition.responseDeserialize(bytes));
        } catch (error) {
          waiting?.reject(toFailure(error)); // the bytes are no message
        }
    }
  });
  const end = (error: ServiceError): void => {
    endDeadline();
    for (const { call, resolve, reject } of open.values())
      if (!call.hasSideEffects && isUnavailable(error) && call.deadline > performance.now())
        resolve(sendAlone(client, call));
      else reject(grpcFailure(error));
    open.clear();
  };
  stream.on('error', end);
  stream.on('end', () => end(endedEarly));
  return results;
};

const openBundle = (
  client: Client,
  request: Message,
  deadline: number,
  onPassed: (failure: Failure) => void,
) => {
  const metadata = new Metadata();
  let stream: ClientReadableStream<Message> | undefined;
  const endDeadline = startDeadline(deadline, metadata, (failure) => {
    onPassed(failure);
    stream?.cancel();
  });
  try {
    const { path, requestSerialize, responseDeserialize } = bundleDefinition;
    stream = client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
    );
    return { stream, endDeadline };
  } catch (error) {
    endDeadline();
    throw toFailure(error);
  }
};

const endedEarly = Object.assign(new Error('the bundle ended without this result'), {
  code: status.UNAVAILABLE,
  details: '',
  metadata: new Metadata(),
}) as ServiceError;

type Stream = ServerWritableStream<Message, Message>;

/**
 * Serves the calls of a bundle. Each call has its own rights, deadline, span and metrics, as if the
 * client had sent it separately. The results of one turn of the event loop are sent together.
 */
export const serveBundles = (deps: {
  readonly implementations: readonly Implementation[];
  readonly call: ReturnType<typeof createCall>;
  peerOf(stream: Stream): Peer | undefined;
  signalOf(stream: Stream): AbortSignal;
}) => {
  const methods = new Map(
    deps.implementations.flatMap((implementation) =>
      implementation.service.methods.map((method) => [rpcName(method), { implementation, method }]),
    ),
  );

  const run = async (one: BundledCall, peer: Peer | undefined, signal: AbortSignal) => {
    const found = methods.get(one.method);
    if (!found) throw new Failure('INTERNAL', `There is no RPC ${one.method} here.`);
    const { implementation, method } = found;
    const response = await deps.call(implementation, method, {
      request: fromBinary(method.input, one.request),
      peer,
      operator: undefined,
      requestId: one.requestId || undefined,
      traceparent: one.traceparent || undefined,
      deadline: performance.now() + one.timeoutMs,
      signal,
    });
    return toBinary(method.output, response);
  };

  return (stream: Stream): void => {
    const { calls } = stream.request as CallManyRequest;
    if (calls.length === 0 || calls.length > bundleCallsMax) {
      const details = `a bundle has 1 to ${bundleCallsMax} calls`;
      stream.emit('error', { code: status.INVALID_ARGUMENT, details });
      return;
    }
    const peer = deps.peerOf(stream);
    const signal = deps.signalOf(stream);
    const send = createBatches<BundledResult, void>(
      async (results) => {
        if (!stream.cancelled)
          stream.write(create(CallManyResponseSchema, { results: [...results] }));
        return () => {};
      },
      {
        inFlightMax: Number.POSITIVE_INFINITY,
        batchMax: bundleCallsMax,
        weight: { of: sizeOf, max: resultBytesMax },
      },
    );
    const sent = calls.map(async (one, place) => {
      const outcome = await run(one, peer, signal).then(
        (value) => ({ case: 'response', value }) as const,
        (thrown) => ({ case: 'failure', value: toFailureMessage(toFailure(thrown)) }) as const,
      );
      await send(create(BundledResultSchema, { place, outcome }));
    });
    void Promise.all(sent).then(() => stream.end());
  };
};

const sizeOf = ({ outcome }: BundledResult): number =>
  outcome.case === 'response' ? outcome.value.length : 0;
