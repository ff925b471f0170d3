import type { IncomingMessage, RequestListener } from 'node:http';
import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';
import {
  ConnectError,
  type ConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { kinds, rpcCodes, toFailure } from '@pto/errors';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import type { Telemetry } from '@pto/telemetry';
import { createCall } from './call.ts';
import { toFailureMessage } from './failure-message.ts';
import { requestIdHeader } from './grpc-definition.ts';
import type { CallContext } from './implementation.ts';

/** Services under one path prefix: `/orders/orders.v1.OrderCommandService/ShowOrder`. */
export interface ConnectMount {
  /** One path segment, such as `orders`. */
  readonly prefix: string;
  readonly services: readonly DescService[];
}

/** One unary call, read and not yet answered. */
export interface ConnectCall {
  readonly prefix: string;
  readonly method: DescMethod;
  readonly request: Message;
  readonly http: IncomingMessage;
  readonly context: CallContext;
}

const bodyMaxBytes = 1024 * 1024;
const httpKey = createContextKey<IncomingMessage | undefined>(undefined);

/**
 * An HTTP listener that reads Connect calls of all mounts and passes each to `answer`, with request
 * id, span, deadline, duration metric and log. It authenticates nobody: `answer` does.
 * @param answer resolves with the response message or its initializer, or rejects with a Failure.
 */
export const connectListener = (options: {
  mounts: readonly ConnectMount[];
  answer: (call: ConnectCall) => Promise<object>;
  telemetry: Telemetry;
}): RequestListener => {
  const call = createCall(options.telemetry);
  const listeners = new Map(
    options.mounts.map(({ prefix, services }) => {
      const run =
        (service: DescService, method: DescMethod) => (request: Message, wire: HandlerContext) => {
          const http = wire.values.get(httpKey)!;
          const answer = (read: Message, context: CallContext) =>
            options.answer({ prefix, method, request: read, http, context });
          const handlers = { [method.localName]: answer as never };
          return served(() => call({ service, handlers }, method, incoming(request, wire)));
        };
      const routes = (router: ConnectRouter) => {
        for (const service of services) {
          const methods = service.methods.map((m) => [m.localName, run(service, m)]);
          router.service(service, Object.fromEntries(methods));
        }
      };
      const listener = connectNodeAdapter({
        routes,
        grpc: false,
        grpcWeb: false,
        requestPathPrefix: `/${prefix}`,
        readMaxBytes: bodyMaxBytes,
        contextValues: (http) => createContextValues().set(httpKey, http as IncomingMessage),
      });
      return [prefix, listener] as const;
    }),
  );
  return (request, response) => {
    const listener = listeners.get(request.url?.split('/')[1] ?? '');
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  };
};

const incoming = (request: Message, { requestHeader, timeoutMs, signal }: HandlerContext) => {
  const within = timeoutMs();
  return {
    request,
    requestId: requestHeader.get(requestIdHeader) ?? undefined,
    traceparent: requestHeader.get('traceparent') ?? undefined,
    deadline: within === undefined ? undefined : Date.now() + within,
    signal,
  };
};

/** A Failure as the error of the wire, with its public half as a detail. */
const served = async (work: () => Promise<Message>): Promise<Message> => {
  try {
    return await work();
  } catch (thrown) {
    const failure = toFailure(thrown);
    throw new ConnectError(failure.message, rpcCodes[kinds[failure.kind].rpc], undefined, [
      { desc: FailureSchema, value: toFailureMessage(failure) },
    ]);
  }
};
