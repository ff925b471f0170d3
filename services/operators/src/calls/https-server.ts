import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '@pto/config';
import { listening, oneRequest } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import type { OperatorsSettings } from '../config.ts';

const headersTimeoutMs = 3000;
const requestTimeoutMs = 10_000;
const checkTimeoutsEveryMs = 500;
/** A connection without traffic for this long is closed, in ms. A call takes at most 30 s. */
const stillMs = 40_000;
const stopTimeoutMs = 3000;

/** Serves HTTPS to operators. The server certificate is read again when its files change. */
export const startHttpsServer = async (
  handler: RequestListener,
  settings: OperatorsSettings,
  telemetry: Telemetry,
): Promise<{ port: number; stop(): Promise<void> }> => {
  let current = read(settings);
  const server = createServer(
    {
      ...current,
      minVersion: 'TLSv1.2',
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      handshakeTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkTimeoutsEveryMs,
    },
    oneRequest(handler),
  );
  server.maxConnections = settings.connectionsMax;
  server.setTimeout(stillMs);
  const timer = setInterval(() => {
    try {
      const next = read(settings);
      if (next.cert.equals(current.cert) && next.key.equals(current.key)) return;
      server.setSecureContext(next);
      current = next;
    } catch (err) {
      telemetry.log.warn(
        { err },
        'cannot reload the certificate for operators: the previous one stays in use',
      );
    }
  }, settings.tlsReloadMs).unref();
  return {
    port: await listening(server, settings.operatorsPort, settings.host),
    stop: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), stopTimeoutMs).unref();
      }),
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
