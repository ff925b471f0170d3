import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import type { DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { Failure } from '@pto/errors';
import type { CallingCarrier, CallingDriver, ProcessName } from '@pto/proto/callers';
import { cellHeader } from '@pto/proto/headers';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { currentRequestId, currentTraceparent, type Telemetry } from '@pto/telemetry';
import {
  identityOf,
  serverIdentity,
  type Tls,
  type TlsSettings,
  type WatchedTls,
  watchTls,
} from '../tls.ts';
import {
  encodeOperator,
  fromFailureMessage,
  operatorHeader,
  partyHeader,
  requestIdHeader,
  timeLeftMs,
} from '../wire.ts';
import { roundRobin } from './round-robin.ts';

export interface ConnectClientOptions {
  /**
   * The replicas' URLs, used in turn. A replica that does not respond gets no call for 10 s. A call
   * without side effects whose connection fails is sent to the next replica. A single URL may be that
   * of all replicas, and the connection that of a process that just ended: the call is sent to it once
   * more.
   */
  readonly urls: readonly string[];
  /** The process whose certificate the replicas must have. */
  readonly server: ProcessName;
  /** The operator for whom the operators service calls, unless a call names another. */
  readonly operator?: string;
  readonly tls: TlsSettings;
  /** Timeout of a call in milliseconds (10 s). */
  readonly timeoutMs?: number;
  /**
   * If given, the client logs invalid TLS files and exports when the certificates in use expire.
   * Needed only in a process without an RPC server, because the RPC server of a process reports
   * both.
   */
  readonly telemetry?: Telemetry;
}

interface CallOptions {
  readonly timeoutMs?: number;
  /** A time of `performance.now()`, in place of `timeoutMs`. */
  readonly deadline?: number;
  readonly signal?: AbortSignal;
  readonly operator?: string;
  /** The carrier or driver for whom the process calls (`authorize`); undefined: none. */
  readonly party?: CallingCarrier | CallingDriver | undefined;
}

/** One function per RPC. Each rejects with a Failure. */
export type ConnectClient<S extends DescService> = {
  readonly [K in keyof S['method']]: (
    request: MessageInitShape<S['method'][K]['input']>,
    options?: CallOptions,
  ) => Promise<MessageShape<S['method'][K]['output']>>;
};

/** The functions of a client, of ours or of the Connect library, by the local name of the RPC. */
type Calls = Readonly<Record<string, (request: object, options?: CallOptions) => Promise<unknown>>>;

const clientOf = <S extends DescService>(
  service: S,
  call: (method: DescMethod) => Calls[string],
): ConnectClient<S> =>
  Object.fromEntries(
    service.methods.map((method) => {
      const run = call(method)!;
      const bounded: Calls[string] = (request, { deadline, ...options } = {}) =>
        run(request, {
          ...options,
          ...(deadline !== undefined && { timeoutMs: timeLeftMs(deadline) }),
        });
      return [method.localName, bounded];
    }),
  ) as unknown as ConnectClient<S>;

/** A replica is silent if a call has waited longer for it in vain, in ms. */
const patienceMs = 1000;

/** Creates a client for calls to the internal Connect port of another process, by mutual TLS. */
export const connectClient = <S extends DescService>(
  service: S,
  options: ConnectClientOptions,
): ConnectClient<S> => {
  const tls = watchTls(options.tls, options.telemetry);
  const replicas = roundRobin(options.urls.map((url) => replica(service, url, options, tls)));
  return clientOf(service, (method) => async (request, given = {}) => {
    const { operator = options.operator, party, ...more } = given;
    const headers = {
      ...(operator && { [operatorHeader]: encodeOperator(operator) }),
      ...(party && { [partyHeader]: JSON.stringify(party) }),
    };
    const isRepeatable = method.idempotency === Idempotency.NO_SIDE_EFFECTS;
    const tries = isRepeatable ? Math.max(2, options.urls.length) : 1;
    for (let n = 1; ; n++) {
      const chosen = replicas.choose();
      const begun = performance.now();
      try {
        const call = chosen()[method.localName]!;
        const response = await call(request, { ...more, headers } as CallOptions);
        replicas.responded(chosen);
        return response;
      } catch (thrown) {
        const error = ConnectError.from(thrown);
        const failure = toFailure(error, service.typeName);
        const hasResponded =
          error.findDetails(FailureSchema).length > 0 || failure.kind === 'INTERNAL';
        if (hasResponded) replicas.responded(chosen);
        // a caller with little time, or that gives up, says nothing about the replica
        else if (
          performance.now() - begun > patienceMs ||
          (failure.kind === 'SERVICE_UNAVAILABLE' && !more.signal?.aborted)
        )
          replicas.silent(chosen);
        if (n >= tries || hasResponded || failure.kind !== 'SERVICE_UNAVAILABLE') throw failure;
      }
    }
  });
};

const replica = (
  service: DescService,
  baseUrl: string,
  options: ConnectClientOptions,
  watched: WatchedTls,
): (() => Calls) => {
  const { tlsIdentityDomain: domain } = options.tls;
  const servername = identityOf(options.server, domain);
  const checkServerIdentity = serverIdentity(options.server, domain);
  const open = (tls: Tls) => {
    const transport = createConnectTransport({
      baseUrl,
      httpVersion: '1.1',
      defaultTimeoutMs: options.timeoutMs ?? 10_000,
      interceptors: [carry],
      nodeOptions: { ...tls, servername, checkServerIdentity },
    });
    return createClient(service, transport) as unknown as Calls;
  };
  let client = open(watched.current());
  watched.onChange((tls) => {
    client = open(tls);
  });
  return () => client;
};

const carry: Interceptor = (next) => (request) => {
  const requestId = currentRequestId();
  const traceparent = currentTraceparent();
  if (requestId) request.header.set(requestIdHeader, requestId);
  if (traceparent) request.header.set('traceparent', traceparent);
  return next(request);
};

export interface OperatorClientOptions {
  /** URL of the operators service with the service's path prefix: `https://host:8443/orders`. */
  readonly url: string;
  /** PEM file of trusted authorities. If empty, Node's default CA certificates are trusted. */
  readonly caFile: string;
  /** Returns the bearer credential, called before each RPC; undefined sends none. */
  readonly credential: () => Promise<string | undefined>;
  /** The cell of the installation to call; empty: the service finds it, or requires its name. */
  readonly cell?: string;
  /** Timeout of a call in milliseconds (10 s). */
  readonly timeoutMs?: number;
}

/**
 * Creates a client of the operators service with one function per RPC. Each rejects with a Failure.
 */
export const operatorClient = <S extends DescService>(
  service: S,
  { url, caFile, credential, cell, timeoutMs = 10_000 }: OperatorClientOptions,
): ConnectClient<S> => {
  const headers = async (): Promise<Record<string, string>> => {
    const bearer = await credential();
    const requestId = currentRequestId();
    return {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(requestId && { [requestIdHeader]: requestId }),
      ...(cell && { [cellHeader]: cell }),
    };
  };
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: '1.1',
    defaultTimeoutMs: timeoutMs,
    // A connection for each call: the service closes an idle one, and a process that was suspended
    // or busy meanwhile would send its next call into the closed one.
    nodeOptions: {
      agent: new Agent({ keepAlive: false, ...(caFile !== '' && { ca: readFileSync(caFile) }) }),
    },
  });
  const client = createClient(service, transport) as unknown as Calls;
  return clientOf(service, ({ localName }) => async (request, options) => {
    const identity = await headers();
    try {
      return await client[localName]!(request, { ...options, headers: identity } as CallOptions);
    } catch (thrown) {
      throw toFailure(ConnectError.from(thrown), service.typeName);
    }
  });
};

const toFailure = (error: ConnectError, service: string): Failure => {
  const [carried] = error.findDetails(FailureSchema);
  if (carried) return fromFailureMessage(carried);
  if (error.code === Code.DeadlineExceeded)
    return new Failure('DEADLINE_EXCEEDED', 'This took too long.', { cause: error });
  // a response of our services carries a Failure: an error with neither a Failure nor a code of a
  // response came from the connection
  if (!responseCodes.has(error.code))
    return new Failure('SERVICE_UNAVAILABLE', `${service} is unavailable right now.`, {
      retryAfterSeconds: 1,
      cause: error,
    });
  return new Failure('INTERNAL', 'Something went wrong on our side.', { cause: error });
};

/**
 * Codes of a response. An error with one of these codes and without a Failure came from another
 * product, or from a version of our service that does not know the RPC. Errors of the connection
 * have other codes.
 */
const responseCodes: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.Unimplemented,
  Code.PermissionDenied,
  Code.Unauthenticated,
]);
