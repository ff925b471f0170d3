import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';
import { type ConnectRouter, createContextKey, type HandlerContext } from '@connectrpc/connect';
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { toFailure } from '@pto/errors';
import { type Telemetry, withRequestId } from '@pto/telemetry';
import { type CallContext, createCall } from '../call.ts';
import { requestIdHeader, requestMaxBytes } from '../wire.ts';
import { arrivedNow, serve, toConnectError } from './connect-server.ts';

/** Services under one path prefix: `/orders/orders.v1.OrderCommandService/ShowOrder`. */
export interface ConnectMount {
  /** One path segment, such as `orders`. */
  readonly prefix: string;
  readonly services: readonly DescService[];
}

/** A unary call whose request was read and that has no response yet. */
export interface ConnectCall {
  readonly prefix: string;
  readonly method: DescMethod;
  readonly request: Message;
  readonly http: IncomingMessage;
  readonly context: CallContext;
}

/** Maximum size of a body, in bytes, of services that anyone may call; their requests are small. */
const openBodyMaxBytes = 1024;
/** Clients have no certificate here: `admit` and `handle` check their credential. */
const nobody = { peer: undefined, operator: undefined };
const httpKey = createContextKey<IncomingMessage | undefined>(undefined);

/**
 * Creates an HTTP listener that reads Connect calls for all mounts and passes each to `handle`,
 * with request id, span, deadline, duration metric and log. The listener authenticates nobody:
 * `admit` and `handle` must do so. Bodies are not compressed, because 700 bytes
 * of gzip can cost 50 ms of parsing.
 * @param admit is called before the body is read; a Failure becomes the response.
 * @param forAnyone services for which `admit` is not called; their bodies are at most 1 KiB.
 * @param handle resolves with the response message or its initializer, or rejects with a Failure.
 */
export const connectListener = (options: {
  mounts: readonly ConnectMount[];
  admit: (http: IncomingMessage) => Promise<unknown>;
  forAnyone: readonly DescService[];
  handle: (call: ConnectCall) => Promise<object>;
  telemetry: Telemetry;
}): RequestListener => {
  const call = createCall(options.telemetry, () => ({ process: 'operators' }));
  const listeners = new Map(
    options.mounts.map(({ prefix, services }) => {
      const run =
        (service: DescService, method: DescMethod) => (request: Message, wire: HandlerContext) => {
          const http = wire.values.get(httpKey)!;
          const handle = (read: Message, context: CallContext) =>
            options.handle({ prefix, method, request: read, http, context });
          const handlers = { [method.localName]: handle as never };
          return serve(call, { service, handlers }, method, request, wire, nobody);
        };
      const routes = (router: ConnectRouter) => {
        for (const service of services) {
          const methods = service.methods.map((m) => [m.localName, run(service, m)]);
          const readMaxBytes = options.forAnyone.includes(service)
            ? openBodyMaxBytes
            : requestMaxBytes(service);
          router.service(service, Object.fromEntries(methods), { readMaxBytes });
        }
      };
      const listener = connectNodeAdapter({
        routes,
        grpc: false,
        grpcWeb: false,
        requestPathPrefix: `/${prefix}`,
        acceptCompression: [],
        contextValues: (http) => arrivedNow().set(httpKey, http as IncomingMessage),
      });
      return [prefix, listener] as const;
    }),
  );
  const admitted = async (request: IncomingMessage): Promise<void> => {
    const [, , service] = request.url?.split('/') ?? [];
    if (options.forAnyone.some(({ typeName }) => typeName === service)) return;
    const requestId = request.headers[requestIdHeader]?.toString();
    await withRequestId(requestId, async () => options.admit(request)).catch((thrown) => {
      const failure = toFailure(thrown);
      const level = failure.kind === 'INTERNAL' ? 'error' : 'info';
      options.telemetry.log[level]({ err: failure }, 'call not admitted');
      throw failure;
    });
  };
  return (request, response) => {
    const listener = listeners.get(request.url?.split('/')[1] ?? '');
    if (!listener) {
      response.writeHead(404).end();
      return;
    }
    admitted(request).then(
      () => listener(request, response),
      (failure) => rejectUnread(response, failure),
    );
  };
};

/**
 * Responds to a unary call with an error of the Connect protocol, without reading the call's body.
 */
const rejectUnread = (response: ServerResponse, thrown: unknown): void => {
  const error = toConnectError(thrown);
  response
    .writeHead(codeToHttpStatus(error.code), { 'Content-Type': contentTypeUnaryJson })
    .end(errorToJsonBytes(error, undefined));
};
