import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import type { Tls, WatchedTls } from '../tls.ts';

/** Of a server: each new connection is met with the newest certificate. */
export const serverCredentials = (tls: WatchedTls): ServerCredentials => {
  const provider = providerOf(tls);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
};

/** Of a channel: the same. */
export const channelCredentials = (tls: WatchedTls): ChannelCredentials => {
  const provider = providerOf(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
};

/** grpc-js's own provider forgets everything when a file cannot be read for a moment. */
const providerOf = (tls: WatchedTls): experimental.CertificateProvider => {
  const ends = new Map<unknown, () => void>();
  const add = <U>(listener: (update: U) => void, updateOf: (tls: Tls) => U): void => {
    ends.set(
      listener,
      tls.onChange((changed) => listener(updateOf(changed))),
    );
    // never from inside of the call: the listener's owner is still being made
    process.nextTick(() => ends.has(listener) && listener(updateOf(tls.current())));
  };
  const remove = (listener: unknown): void => {
    ends.get(listener)?.();
    ends.delete(listener);
  };
  return {
    addCaCertificateListener: (listener) => add(listener, ({ ca }) => ({ caCertificate: ca })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) =>
      add(listener, ({ cert, key }) => ({ certificate: cert, privateKey: key })),
    removeIdentityCertificateListener: remove,
  };
};
