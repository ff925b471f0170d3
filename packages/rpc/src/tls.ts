import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** Mutual TLS between services: all three files, or none. */
export interface TlsSettings {
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly tlsCaFile: string;
}

/** The three PEM files of mutual TLS, or undefined where none is configured. */
export const readTls = (settings: TlsSettings): Tls | undefined => {
  const files = [settings.tlsCertFile, settings.tlsKeyFile, settings.tlsCaFile];
  if (files.every((file) => file === '')) return undefined;
  if (files.some((file) => file === ''))
    throw new ConfigError(['TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE go together']);
  try {
    const [cert, key, ca] = files.map((file) => readFileSync(file));
    return { cert: cert!, key: key!, ca: ca! };
  } catch (error) {
    throw new ConfigError([`TLS files: ${(error as Error).message}`]);
  }
};
