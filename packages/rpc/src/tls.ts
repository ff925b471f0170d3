import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '@pto/config';
import type { Telemetry } from '@pto/telemetry';
import { showEnds } from './certificate-ends.ts';

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** Mutual TLS between services; there is no internal call without it (decision 58). */
export interface TlsSettings {
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly tlsCaFile: string;
  /** What follows the process's name in the certificates. */
  readonly tlsIdentityDomain: string;
  /** How often the files are looked at for new ones; 10 s unless told. */
  readonly tlsReloadMs?: number;
}

/** The files' newest content that holds. */
export interface WatchedTls {
  current(): Tls;
  /** @returns what ends it. */
  onChange(listener: (tls: Tls) => void): () => void;
}

/**
 * Returns the three PEM files of mutual TLS. They are read again and again, as certificates are
 * renewed while a process runs; what is half written or does not fit together is logged, and what
 * was there before stays. When what is used ends is a metric. Without telemetry, in a process that
 * ends soon, neither is reported.
 * @throws ConfigError where the files do not hold at the start.
 */
export const watchTls = (settings: TlsSettings, telemetry?: Telemetry): WatchedTls => {
  const files = [settings.tlsCertFile, settings.tlsKeyFile, settings.tlsCaFile];
  let current = read(files, (error) => {
    throw new ConfigError([`TLS files: ${error.message}`]);
  });
  const listeners = new Set<(tls: Tls) => void>();
  const look = () => {
    const next = read(files, (error) => {
      telemetry?.log.warn({ err: error }, 'the TLS files do not hold: those from before are used');
      return current;
    });
    if (same(next, current)) return;
    current = next;
    for (const listener of listeners) listener(current);
  };
  setInterval(look, settings.tlsReloadMs ?? 10_000).unref();
  if (telemetry) showEnds(telemetry.metrics, () => current);
  return {
    current: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

const read = (files: readonly string[], refuse: (error: Error) => Tls): Tls => {
  try {
    const [cert, key, ca] = files.map((file) => readFileSync(file));
    const tls = { cert: cert!, key: key!, ca: ca! };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    return refuse(error as Error);
  }
};

const same = (a: Tls, b: Tls): boolean =>
  a.cert.equals(b.cert) && a.key.equals(b.key) && a.ca.equals(b.ca);
