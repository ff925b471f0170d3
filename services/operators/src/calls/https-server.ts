import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { clientAddress } from '@pto/access';
import { ConfigError } from '@pto/config';
import { equalShares, limitConnections, startHttpServer } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import type { OperatorsSettings } from '../config.ts';

/** Serves HTTPS to operators. The server certificate is read again when its files change. */
export const startHttpsServer = async (
  handler: RequestListener,
  settings: OperatorsSettings,
  telemetry: Telemetry,
): Promise<{ port: number; stop(): Promise<void> }> => {
  let current = read(settings);
  const { connectionsMax, trustedProxies } = settings;
  const http = await startHttpServer(handler, {
    host: settings.host,
    port: settings.operatorsPort,
    limit: limitConnections(
      'operators',
      equalShares(connectionsMax, ({ remoteAddress }) =>
        clientAddress(remoteAddress, undefined, trustedProxies),
      ),
      telemetry,
    ),
    tls: { ...current, minVersion: 'TLSv1.2' },
  });
  const timer = setInterval(() => {
    try {
      const next = read(settings);
      if (next.cert.equals(current.cert) && next.key.equals(current.key)) return;
      (http.server as Server).setSecureContext(next);
      current = next;
    } catch (err) {
      telemetry.log.warn(
        { err },
        'cannot reload the certificate for operators: the previous one stays in use',
      );
    }
  }, settings.tlsReloadMs).unref();
  return {
    port: http.port,
    stop: () => {
      clearInterval(timer);
      return http.stop();
    },
  };
};

/**
 * Reads the certificate and its key.
 * @throws ConfigError if a file is missing or they do not match.
 */
const read = ({ operatorsCertFile, operatorsKeyFile }: OperatorsSettings) => {
  try {
    const pair = { cert: readFileSync(operatorsCertFile), key: readFileSync(operatorsKeyFile) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new ConfigError([
      `OPERATORS_TLS_CERT_FILE, OPERATORS_TLS_KEY_FILE: ${(error as Error).message}`,
    ]);
  }
};
