import { Agent, type Dispatcher } from 'undici';
import type { ConsoleSettings } from '../config.ts';

const connectTimeoutMs = 3000;
/** The gateway responds within 60 s, and a list of locations takes up to 300 s, in pieces. */
const responseTimeoutMs = 70_000;

/** Opens the connections to the partners' gateway. Each request of a browser uses at most one. */
export const openGateway = ({
  gatewayUrl,
  connectionsMax,
}: Pick<ConsoleSettings, 'gatewayUrl' | 'connectionsMax'>) => {
  const dispatcher = new Agent({
    connections: connectionsMax,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
  });
  const base = URL.parse(gatewayUrl);
  return {
    /**
     * @param path below the API's own path, with the query string.
     * @throws Error if the gateway does not respond
     */
    request: (
      path: string,
      options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>,
    ): Promise<Dispatcher.ResponseData> =>
      dispatcher.request({
        origin: base!.origin,
        path: `${base!.pathname.replace(/\/+$/, '')}${path}`,
        ...options,
      }),
    close: () => dispatcher.close(),
  };
};

export type Gateway = ReturnType<typeof openGateway>;
