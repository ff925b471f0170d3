import { fileURLToPath } from 'node:url';
import { startGatewayProcess } from '../http/gateway-process.ts';
import type { Prepared } from '../http/with-stack.ts';

const program = fileURLToPath(new URL('gateway.ts', import.meta.url));

/** A gateway of its own on the stack's stores and services, with the rate limiter or without. */
export const gatewaySide = async (prepared: Prepared, path: string, limited: boolean) => {
  const name = limited ? 'with rate limiter' : 'without';
  const { origin, ...gateway } = await startGatewayProcess(prepared, {
    name,
    program,
    settings: { limited },
  });
  return {
    ...gateway,
    target: async () => ({
      url: `${origin}/api/partner/v1${path}`,
      headers: { authorization: `Bearer ${prepared.key}` },
      status: 200,
    }),
    common: (response: object) => response,
  };
};
