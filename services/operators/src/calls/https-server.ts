import type { RequestListener } from 'node:http';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { clientAddress } from '@pto/access';
import { watchFiles } from '@pto/config';
import { equalShares, limitConnections, startHttpServer } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import type { OperatorsSettings } from '../config.ts';

/** Maximum number of open connections: twice those of a console (`operators.ts` of the console). */
const connectionsMax = 200;

/**
 * Serves HTTPS to operators. The server certificate is read again when its files change.
 * @throws ConfigError if a file is missing or they do not match.
 */
export const startHttpsServer = async (
  handler: RequestListener,
  settings: OperatorsSettings,
  telemetry: Telemetry,
): Promise<{ port: number; stop(): Promise<void> }> => {
  const files = [settings.operatorsCertFile, settings.operatorsKeyFile];
  const watched = watchFiles(files, checked, {
    name: 'OPERATORS_TLS_CERT_FILE, OPERATORS_TLS_KEY_FILE',
    everyMs: settings.tlsReloadMs,
    onInvalid: (err) =>
      telemetry.log.warn(
        { err },
        'cannot reload the certificate for operators: the previous one stays in use',
      ),
  });
  const { trustedProxies } = settings;
  const { port, server, stop } = await startHttpServer(handler, {
    host: settings.host,
    port: settings.operatorsPort,
    limit: limitConnections(
      'operators',
      equalShares(connectionsMax, ({ remoteAddress }) =>
        clientAddress(remoteAddress, undefined, trustedProxies),
      ),
      telemetry,
    ),
    tls: { ...watched.current(), minVersion: 'TLSv1.2' },
  });
  const ended = watched.onChange((next) => (server as Server).setSecureContext(next));
  return {
    port,
    stop: () => {
      ended();
      return stop();
    },
  };
};

/** @throws Error if OpenSSL rejects the pair. */
const checked = ([cert, key]: readonly Buffer[]) => {
  const pair = { cert: cert!, key: key! };
  createSecureContext(pair);
  return pair;
};
