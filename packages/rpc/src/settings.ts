import { durationMs, port, text } from '@pto/config';

export const rpcClientSettings = {
  tlsCertFile: text('TLS_CERT_FILE', { fallback: '' }),
  tlsKeyFile: text('TLS_KEY_FILE', { fallback: '' }),
  tlsCaFile: text('TLS_CA_FILE', { fallback: '' }),
  /** How often the three files are looked at: certificates are renewed under a running process. */
  tlsReloadMs: durationMs('TLS_RELOAD', { fallback: 10_000 }),
};

export const rpcServerSettings = {
  ...rpcClientSettings,
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  connectPort: port('CONNECT_PORT', { fallback: 8081 }),
  /** The internal port's token: the operator and the other services carry it. */
  operatorToken: text('OPERATOR_TOKEN', { secret: true }),
};
