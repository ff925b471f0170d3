import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import type { serverIdentity, Tls, WatchedTls } from '../tls.ts';

/** Returns credentials of a server that uses the newest certificate for each new connection. */
export const serverCredentials = (tls: WatchedTls): ServerCredentials => {
  const provider = providerOf(tls);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
};

/**
 * Returns credentials of a channel that uses the newest certificate for each new connection.
 * @param checkServerIdentity returns an error for a server's certificate that is not accepted.
 */
export const channelCredentials = (
  tls: WatchedTls,
  checkServerIdentity: ReturnType<typeof serverIdentity>,
): ChannelCredentials => {
  const provider = providerOf(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider, {
    checkServerIdentity,
  });
};

/**
 * Provides the watched files to grpc-js. The provider of grpc-js drops all certificates when a file
 * cannot be read a single time.
 */
const providerOf = (tls: WatchedTls): experimental.CertificateProvider => {
  const ends = new Map<unknown, () => void>();
  const add = <U>(listener: (update: U) => void, updateOf: (tls: Tls) => U): void => {
    ends.set(
      listener,
      tls.onChange((changed) => listener(updateOf(changed))),
    );
    // asynchronous, because grpc-js has not finished creating the listener's owner at this point
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
