import type { IncomingMessage, RequestListener } from 'node:http';
import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';
import {
  type ConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { Telemetry } from '@pto/telemetry';
import { createCall } from './call.ts';
import { toConnectError } from './connect-error.ts';
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
  // a client has no certificate here: `answer` decides by its credential
  const call = createCall(options.telemetry, () => ({ process: 'operator-gateway' }));
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
    peer: undefined,
    operator: undefined,
    requestId: requestHeader.get(requestIdHeader) ?? undefined,
    traceparent: requestHeader.get('traceparent') ?? undefined,
    deadline: within === undefined ? undefined : Date.now() + within,
    signal,
  };
};

const served = async (work: () => Promise<Message>): Promise<Message> => {
  try {
    return await work();
  } catch (thrown) {
    throw toConnectError(thrown);
  }
};
