import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTelemetry } from '@pto/telemetry';
import type { ConsoleSettings } from '../src/config.ts';
import { startConsole } from '../src/service.ts';

export const portalHost = 'portal.test';
/** A text in the form of a session of the portal. */
export const sessionCookie = `__Host-portal=svc_test_${'0'.repeat(49)}`;

/** Starts the console with a page of its own and a gateway that handles requests as given. */
export const startConsoleService = async (
  gateway: RequestListener,
  more: Partial<ConsoleSettings> = {},
) => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  for (const page of ['index.html', 'portal.html'])
    writeFileSync(join(folder, page), '<p>page</p>');
  const behind = createServer(gateway).listen(0, '127.0.0.1');
  await new Promise((resolve) => behind.once('listening', resolve));
  const logged: string[] = [];
  const service = await startConsole(
    {
      ...{ host: '127.0.0.1', httpPort: 0, folder, connectionsMax: 500 },
      ...{
        publicUrl: '',
        openIdKey: Buffer.alloc(0),
        operatorUrl: 'https://127.0.0.1:1',
        operatorCaFile: '',
      },
      portalUrl: `https://${portalHost}`,
      gatewayUrl: `http://127.0.0.1:${(behind.address() as AddressInfo).port}/api`,
      ...more,
    },
    createTelemetry({ service: 'console', write: (line) => logged.push(line) }),
  );
  return {
    port: service.httpPort,
    logged,
    stop: async () => {
      behind.closeAllConnections();
      await service.stop();
      behind.close();
      rmSync(folder, { recursive: true });
    },
  };
};
