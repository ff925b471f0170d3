import type { DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { Failure } from '@pto/errors';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import { fromFailureMessage } from './failure-message.ts';
import { requestIdHeader } from './grpc-definition.ts';
import { readTls } from './tls.ts';

export interface ConnectClientOptions {
  readonly url: string;
  readonly operatorToken: string;
  readonly tls: Parameters<typeof readTls>[0];
  /** Milliseconds; 10 s unless told. */
  readonly timeoutMs?: number;
}

/** One function per RPC. Rejects with a Failure. */
export type ConnectClient<S extends DescService> = {
  readonly [K in keyof S['method']]: (
    request: MessageInitShape<S['method'][K]['input']>,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ) => Promise<MessageShape<S['method'][K]['output']>>;
};

type Call = (request: object, options?: object) => Promise<unknown>;

/** A client of a service's internal port. */
export const connectClient = <S extends DescService>(
  service: S,
  options: ConnectClientOptions,
): ConnectClient<S> => {
  const tls = readTls(options.tls);
  const client = createClient(
    service,
    createConnectTransport({
      baseUrl: options.url,
      httpVersion: '1.1',
      defaultTimeoutMs: options.timeoutMs ?? 10_000,
      interceptors: [carry(options.operatorToken)],
      ...(tls && { nodeOptions: tls }),
    }),
  ) as Record<string, Call>;
  const calls = service.methods.map((method): [string, Call] => [
    method.localName,
    (request, more) =>
      client[method.localName]!(request, more).catch((thrown) => {
        throw toFailure(thrown, service.typeName);
      }),
  ]);
  return Object.fromEntries(calls) as unknown as ConnectClient<S>;
};

const carry =
  (operatorToken: string): Interceptor =>
  (next) =>
  (request) => {
    request.header.set('authorization', `Bearer ${operatorToken}`);
    const requestId = currentRequestId();
    const traceparent = currentTraceparent();
    if (requestId) request.header.set(requestIdHeader, requestId);
    if (traceparent) request.header.set('traceparent', traceparent);
    return next(request);
  };

const toFailure = (thrown: unknown, service: string): Failure => {
  const error = ConnectError.from(thrown);
  const [carried] = error.findDetails(FailureSchema);
  if (carried) return fromFailureMessage(carried);
  if (error.code === Code.DeadlineExceeded)
    return new Failure('DEADLINE_EXCEEDED', 'This took too long.', { cause: thrown });
  if (error.code === Code.Unavailable || error.code === Code.Canceled)
    return new Failure('SERVICE_UNAVAILABLE', `${service} is away right now.`, {
      retryAfterSeconds: 1,
      cause: thrown,
    });
  return new Failure('INTERNAL', 'Something went wrong on our side.', { cause: thrown });
};
