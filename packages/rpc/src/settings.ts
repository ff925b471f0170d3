import { durationMs, port, text } from '@pto/config';

export const rpcClientSettings = {
  tlsCertFile: text('TLS_CERT_FILE'),
  tlsKeyFile: text('TLS_KEY_FILE'),
  tlsCaFile: text('TLS_CA_FILE'),
  /** Certificates name `<process>.<domain>`; deployments that share an authority differ in it. */
  tlsIdentityDomain: text('TLS_IDENTITY_DOMAIN'),
  /** How often the three files are looked at: certificates are renewed under a running process. */
  tlsReloadMs: durationMs('TLS_RELOAD', { fallback: 10_000 }),
};

export const rpcServerSettings = {
  ...rpcClientSettings,
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  connectPort: port('CONNECT_PORT', { fallback: 8081 }),
};
