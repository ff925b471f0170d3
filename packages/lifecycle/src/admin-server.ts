import { createServer } from 'node:http';
import type { Telemetry } from '@pto/telemetry';
import { type Check, listening, within } from './service.ts';

const checkTimeoutMs = 2000;

/**
 * Starts the server for `/livez` (this process runs), `/readyz` (it can answer its callers) and
 * `/metrics` (Prometheus).
 */
export const startAdminServer = async (options: {
  host: string;
  port: number;
  telemetry: Telemetry;
  checks: Readonly<Record<string, Check>>;
}) => {
  let draining = false;
  const faults = async (): Promise<string[]> => {
    if (draining) return ['shutting down'];
    const results = Object.entries(options.checks).map(([name, check]) =>
      within(checkTimeoutMs, name, check()).then(
        () => [],
        (error: Error) => [`${name}: ${error.message}`],
      ),
    );
    return (await Promise.all(results)).flat();
  };
  const server = createServer(async (request, response) => {
    const respond = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (request.url === '/livez') respond(200, 'text/plain', 'ok\n');
    else if (request.url === '/readyz') {
      const reasons = await faults();
      respond(reasons.length === 0 ? 200 : 503, 'text/plain', `${reasons.join('\n') || 'ok'}\n`);
    } else if (request.url === '/metrics') {
      const { metrics } = options.telemetry;
      respond(200, metrics.contentType, await metrics.metrics());
    } else respond(404, 'text/plain', 'not found\n');
  });
  return {
    port: await listening(server, options.port, options.host),
    /** Makes `/readyz` fail, so that no new requests are routed to this process. */
    drain: () => {
      draining = true;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
