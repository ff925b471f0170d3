import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type Server,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Failure, toFailure } from '@pto/errors';
import {
  type BundledCall,
  type BundledResult,
  BundledResultSchema,
  BundleService,
  type CallManyRequest,
  CallManyResponseSchema,
} from '@pto/proto/rpc/v1/bundle';
import type { createCall, Implementation } from '../call.ts';
import type { Peer } from '../peers.ts';
import { rpcName, toFailureMessage } from '../wire.ts';
import { bundleCallsMax, bundleResultBytesMax, cancellation, grpcDefinition } from './grpc-wire.ts';

type Stream = ServerWritableStream<Message, Message>;

/**
 * Serves the calls of a bundle. Each call has its own rights, deadline, span and metrics, as if the
 * client had sent it separately.
 */
export const addBundles = (
  server: Server,
  deps: {
    readonly implementations: readonly Implementation[];
    readonly call: ReturnType<typeof createCall>;
    peerOf(stream: Stream): Peer | undefined;
  },
): void => {
  const methods = new Map(
    deps.implementations.flatMap((implementation) =>
      implementation.service.methods.map((method) => [rpcName(method), { implementation, method }]),
    ),
  );

  const run = async (one: BundledCall, peer: Peer | undefined, signal: () => AbortSignal) => {
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

  const callMany = (stream: Stream): void => {
    const { calls } = stream.request as CallManyRequest;
    if (calls.length === 0 || calls.length > bundleCallsMax) {
      const details = `a bundle has 1 to ${bundleCallsMax} calls`;
      stream.emit('error', { code: status.INVALID_ARGUMENT, details });
      return;
    }
    const peer = deps.peerOf(stream);
    const signal = cancellation(stream);
    const respond = responding(stream, calls.length);
    for (const [place, one] of calls.entries())
      run(one, peer, signal).then(
        (value) => respond(place, { case: 'response', value }),
        (thrown) => respond(place, { case: 'failure', value: toFailureMessage(toFailure(thrown)) }),
      );
  };
  server.addService(grpcDefinition(BundleService), {
    callMany,
  } as unknown as UntypedServiceImplementation);
};

/**
 * Sends the results of one turn of the event loop together, and ends the stream after the last one.
 */
const responding = (stream: Stream, count: number) => {
  let results: BundledResult[] = [];
  let [bytes, open] = [0, count];
  const flush = (): void => {
    if (results.length > 0 && !stream.cancelled)
      stream.write(create(CallManyResponseSchema, { results }));
    [results, bytes] = [[], 0];
    if (open === 0) stream.end();
  };
  return (place: number, outcome: BundledResult['outcome']): void => {
    const size = outcome.case === 'response' ? outcome.value.length : 0;
    if (bytes + size > bundleResultBytesMax) flush();
    open--;
    if (results.push(create(BundledResultSchema, { place, outcome })) === 1) setImmediate(flush);
    bytes += size;
  };
};
