import type { X509Certificate } from 'node:crypto';
import {
  create,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { Failure, privateCause, toFailure } from '@pto/errors';
import { type Caller, type CallingCarrier, type CallingDriver, mayCall } from '@pto/proto/callers';
import { Histogram, inSpan, type Telemetry, withRequestId } from '@pto/telemetry';
import { type Peer, peerOf } from './tls.ts';
import { rpcName } from './wire.ts';

/** Information about a call that a handler gets in addition to the request. */
export interface CallContext {
  /** Aborted when the caller disconnects or the deadline has passed. */
  readonly signal: AbortSignal;
  /**
   * The call's deadline as a time of `performance.now()`, which a step of the wall clock does not
   * move: the caller's, at most 30 s from the start.
   */
  readonly deadline: number;
  /**
   * The caller. `authorize` has checked that the caller may call this RPC (decision 58). Exception:
   * in a `connectListener`, `admit` and `handle` must check this.
   */
  readonly caller: Caller;
}

/**
 * One async function per RPC: takes the request message, returns the response or its initializer.
 */
export type Handlers<S extends DescService> = {
  readonly [K in keyof S['method']]: (
    request: MessageShape<S['method'][K]['input']>,
    context: CallContext,
  ) => Promise<MessageInitShape<S['method'][K]['output']>>;
};

/** A service with its handlers. The Connect server and the gRPC server can serve it. */
export interface Implementation {
  readonly service: DescService;
  readonly handlers: Readonly<
    Record<string, (request: never, context: CallContext) => Promise<object>>
  >;
}

/**
 * Binds handlers to their service descriptor, for both servers. The handlers serve unary RPCs only.
 */
export const implement = <S extends DescService>(
  service: S,
  handlers: Handlers<S>,
): Implementation => ({ service, handlers: handlers as unknown as Implementation['handlers'] });

/** A received call, independent of its transport. */
export interface Incoming {
  readonly request: Message;
  /** The calling process; undefined if the peer's certificate names none of our processes. */
  readonly peer: Peer | undefined;
  /** The operator's name as the peer sent it, percent-encoded. */
  readonly operator: string | undefined;
  /** The carrier or driver as the peer sent it; undefined: the caller is none. */
  readonly party?: string | undefined;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
  /** A time of `performance.now()`; undefined if the caller sent no deadline. */
  readonly deadline: number | undefined;
  /** Aborted when the caller disconnects or cancels. */
  readonly signal: AbortSignal;
}

/** Maximum duration of a call, whatever deadline the caller sends. */
const deadlineMaxMs = 30_000;

/**
 * Runs a handler for a call that was received over gRPC or Connect: determines the caller, request
 * id, span and deadline, and records the duration and a log line. Rejects only with a Failure.
 * @param whoCalls decides whether the caller may call; by default by its certificate.
 */
export const createCall = (
  telemetry: Telemetry,
  whoCalls = (method: DescMethod, { peer, operator, party }: Incoming): Caller =>
    authorize(method, peer, operator, party),
) => {
  const existing = telemetry.metrics.getSingleMetric('rpc_server_seconds');
  const seconds =
    (existing as Histogram<'method' | 'outcome'> | undefined) ??
    new Histogram({
      name: 'rpc_server_seconds',
      help: 'Calls served, by method and outcome (ok, or the kind of failure)',
      labelNames: ['method', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [telemetry.metrics],
    });

  return async (implementation: Implementation, method: DescMethod, incoming: Incoming) => {
    const name = rpcName(method);
    const end = seconds.startTimer({ method: name });
    const work = () =>
      inSpan(name, { kind: 'server', traceparent: incoming.traceparent }, async () => {
        try {
          const caller = whoCalls(method, incoming);
          const response = await untilDeadline(implementation, method, incoming, caller);
          end({ outcome: 'ok' });
          return response;
        } catch (thrown) {
          const failure = toFailure(thrown);
          end({ outcome: failure.kind });
          if (failure.kind === 'INTERNAL')
            telemetry.log.error({ err: failure, rpc: name }, 'call failed');
          else if (privateCause(failure) !== undefined)
            telemetry.log.warn({ err: failure, rpc: name }, 'call rejected');
          throw failure;
        }
      });
    return withRequestId(incoming.requestId, work);
  };
};

const untilDeadline = async (
  implementation: Implementation,
  method: DescMethod,
  incoming: Incoming,
  caller: Caller,
): Promise<Message> => {
  const latest = performance.now() + deadlineMaxMs;
  const deadline = Math.min(incoming.deadline ?? latest, latest);
  const handler = implementation.handlers[method.localName]!;
  const ended = new AbortController();
  const signal = AbortSignal.any([incoming.signal, ended.signal]);
  const context: CallContext = { signal, deadline, caller };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      ended.abort();
      reject(new Failure('DEADLINE_EXCEEDED', 'This took too long.', { retryAfterSeconds: 1 }));
    }, deadline - performance.now());
  });
  try {
    const response = await Promise.race([handler(incoming.request as never, context), late]);
    return create(method.output, response as never);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Returns a function that determines the peer of a connection at the first call and caches the
 * result: the certificate cannot change during the connection. After the certificate has expired,
 * the function returns undefined.
 */
export const peersByConnection = (domain: string) => {
  const known = new WeakMap<object, Peer | undefined>();
  return (connection: object, certificate: () => X509Certificate | undefined) => {
    if (!known.has(connection)) known.set(connection, peerOf(certificate(), domain));
    const peer = known.get(connection);
    return peer && peer.until > Date.now() ? peer : undefined;
  };
};

/**
 * Returns the caller if the table of callers allows it the RPC (decision 58).
 * @param operator the header's value, percent-encoded; used only in calls of the operators service.
 * @param party JSON; used only with an operator, and in calls of the courier, which the sandbox alone
 *   has: there it is the driver whose phone the courier plays.
 * @throws Failure CALLER_NOT_ALLOWED, whose message names the calling process and the RPC.
 */
export const authorize = (
  method: DescMethod,
  peer: Peer | undefined,
  operator: string | undefined,
  party?: string,
): Caller => {
  const rpc = rpcName(method);
  if (!peer)
    throw new Failure('CALLER_NOT_ALLOWED', `${rpc}: the certificate names no known process.`);
  const isForOperator = peer.process === 'operators' && operator !== undefined;
  const caller: Caller = {
    process: peer.process,
    ...(isForOperator && { operator: decode(operator) }),
    ...((isForOperator || peer.process === 'courier') &&
      party !== undefined &&
      partyOf(JSON.parse(party))),
  };
  if (!mayCall(method.parent.typeName, method.name, caller))
    throw new Failure('CALLER_NOT_ALLOWED', `${peer.process} may not call ${rpc}.`);
  return caller;
};

const partyOf = (party: CallingCarrier | CallingDriver): Pick<Caller, 'carrier' | 'driver'> =>
  'driverId' in party ? { driver: party } : { carrier: party };

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // no operator has this name
  }
};
