import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { cellHeader, unattendedHeader } from '@pto/proto/headers';
import { Agent, type Dispatcher } from 'undici';
import { addressesOf } from '../browser/addresses.ts';
import type { ConsoleSettings } from '../config.ts';
import type { Provider } from './openid.ts';

const connectTimeoutMs = 3000;
/** The longest call of an operator takes 30 s. */
const responseTimeoutMs = 35_000;
/** Fewer than the 200 that the operators service accepts, so that others can connect. */
const connections = 100;

/** One call to the operators service. */
export interface OperatorCall {
  /** Such as `orders/orders.v1.OrderCommandService/ShowOrder`. */
  readonly path: string;
  /** The session's secret, or what the operator signs in with; absent: the call needs none. */
  readonly credential?: string;
  /** JSON. */
  readonly body: Readable | string;
  readonly requestId?: string | undefined;
  /** The cell of the installation that the operator has chosen. */
  readonly cell?: string | undefined;
  /** No person made the call. */
  readonly isUnattended?: boolean;
}

/** Opens the connections to the operators service, the only process that the console calls. */
export const openOperators = (
  settings: Pick<ConsoleSettings, 'operatorUrl' | 'operatorCaFile'>,
) => {
  const { operatorUrl, operatorCaFile } = settings;
  const { origin, pathname } = new URL(operatorUrl);
  const base = pathname.replace(/\/+$/, '');
  const dispatcher = new Agent({
    connections,
    connect: {
      timeout: connectTimeoutMs,
      ...(operatorCaFile !== '' && { ca: readFileSync(operatorCaFile) }),
    },
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
  });
  const post = (path: string, body: Readable | string, headers: Record<string, string> = {}) =>
    dispatcher.request({
      origin,
      path: `${base}/${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'connect-protocol-version': '1', ...headers },
      body,
    });
  return {
    /**
     * Sends a call in the Connect protocol, in the name of the credential's owner if it has one.
     * @throws Error if the service does not respond
     */
    call: (
      request: IncomingMessage,
      { path, credential, body, requestId, cell, isUnattended }: OperatorCall,
    ): Promise<Dispatcher.ResponseData> => {
      return post(path, body, {
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        'x-forwarded-for': addressesOf(request),
        ...(requestId !== undefined && { 'x-request-id': requestId }),
        ...(cell !== undefined && { [cellHeader]: cell }),
        ...(isUnattended && { [unattendedHeader]: '1' }),
      });
    },
    /** Returns how people sign in (`SignInService`), which needs no credential. */
    signIn: async (): Promise<Provider> => {
      const { body } = await post('operators/operators.v1.SignInService/GetSignIn', '{}');
      // proto's JSON form omits empty fields
      const { issuer = '', clientId = '', scopes = [] } = (await body.json()) as Partial<Provider>;
      return { issuer, clientId, scopes };
    },
    close: () => dispatcher.close(),
  };
};

export type Operators = ReturnType<typeof openOperators>;
