import type { DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Caller } from '@pto/proto/callers';

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
