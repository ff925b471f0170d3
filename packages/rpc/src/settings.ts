import { durationMs, port, text } from '@pto/config';

export const rpcClientSettings = {
  tlsCertFile: text('TLS_CERT_FILE'),
  tlsKeyFile: text('TLS_KEY_FILE'),
  tlsCaFile: text('TLS_CA_FILE'),
  /**
   * Domain of the names in certificates, `<process>.<domain>`. Deployments that share an authority
   * need different domains.
   */
  tlsIdentityDomain: text('TLS_IDENTITY_DOMAIN'),
  /** Interval at which the three files are read: certificates are renewed while a process runs. */
  tlsReloadMs: durationMs('TLS_RELOAD', { fallback: 10_000 }),
};

export const rpcServerSettings = {
  ...rpcClientSettings,
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  connectPort: port('CONNECT_PORT', { fallback: 8081 }),
};
