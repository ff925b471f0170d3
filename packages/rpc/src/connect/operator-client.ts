import { readFileSync } from 'node:fs';
import type { DescService } from '@bufbuild/protobuf';
import { ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { currentRequestId } from '@pto/telemetry';
import { requestIdHeader } from '../grpc-definition.ts';
import { type ConnectClient, toFailure } from './connect-client.ts';

export interface OperatorClientOptions {
  /** URL of the operators service with the service's path prefix: `https://host:8443/orders`. */
  readonly url: string;
  /** PEM file of trusted authorities. If empty, Node's default CA certificates are trusted. */
  readonly caFile: string;
  /** Returns the bearer credential, called before each RPC; undefined sends none. */
  readonly credential: () => Promise<string | undefined>;
  /** Timeout of a call in milliseconds (10 s). */
  readonly timeoutMs?: number;
}

type Call = (request: object, options?: object) => Promise<unknown>;

/**
 * Creates a client of the operators service with one function per RPC. Each rejects with a Failure.
 */
export const operatorClient = <S extends DescService>(
  service: S,
  { url, caFile, credential, timeoutMs = 10_000 }: OperatorClientOptions,
): ConnectClient<S> => {
  const headers = async (): Promise<Record<string, string>> => {
    const bearer = await credential();
    const requestId = currentRequestId();
    return {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(requestId && { [requestIdHeader]: requestId }),
    };
  };
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: '1.1',
    defaultTimeoutMs: timeoutMs,
    ...(caFile !== '' && { nodeOptions: { ca: readFileSync(caFile) } }),
  });
  const client = createClient(service, transport) as Record<string, Call>;
  const calls = service.methods.map(({ localName }): [string, Call] => [
    localName,
    async (request, options) => {
      const identity = await headers();
      try {
        return await client[localName]!(request, { ...options, headers: identity });
      } catch (thrown) {
        throw toFailure(ConnectError.from(thrown), service.typeName);
      }
    },
  ]);
  return Object.fromEntries(calls) as unknown as ConnectClient<S>;
};
