import { readFileSync } from 'node:fs';
import type { DescService } from '@bufbuild/protobuf';
import { ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { currentRequestId } from '@pto/telemetry';
import { requestIdHeader } from '../grpc-definition.ts';
import { type ConnectClient, toFailure } from './connect-client.ts';

export interface OperatorClientOptions {
  /** The operator gateway's, with the path prefix of the service: `https://host:8443/orders`. */
  readonly url: string;
  /** PEM file of trusted authorities; empty: the system's. */
  readonly caFile: string;
  /** The bearer credential, asked for before each call; undefined: none is sent. */
  readonly credential: () => Promise<string | undefined>;
  /** Milliseconds; 10 s unless given. */
  readonly timeoutMs?: number;
}

type Call = (request: object, options?: object) => Promise<unknown>;

/** A client of the operator gateway: one function per RPC. Rejects with a Failure. */
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
