import type { DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Caller } from '@pto/proto/callers';

/** What a handler may know of its call beside the request. */
export interface CallContext {
  /** Aborted when the caller has gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; always set. */
  readonly deadline: number;
  /** Who calls; the table of callers allows it. */
  readonly caller: Caller;
}

/** One async function per RPC: request message in, response (or its initialiser) out. */
export type Handlers<S extends DescService> = {
  readonly [K in keyof S['method']]: (
    request: MessageShape<S['method'][K]['input']>,
    context: CallContext,
  ) => Promise<MessageInitShape<S['method'][K]['output']>>;
};

/** A service with its handlers, to be mounted on either wire. */
export interface Implementation {
  readonly service: DescService;
  readonly handlers: Readonly<
    Record<string, (request: never, context: CallContext) => Promise<object>>
  >;
}

/** Binds handlers to their descriptor, once for both wires. All RPCs are unary. */
export const implement = <S extends DescService>(
  service: S,
  handlers: Handlers<S>,
): Implementation => ({ service, handlers: handlers as unknown as Implementation['handlers'] });
