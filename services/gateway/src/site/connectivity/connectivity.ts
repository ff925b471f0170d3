import { X509Certificate } from 'node:crypto';
import { cachedFor } from '@pto/concurrency';
import { mainCell, watchFiles } from '@pto/config';
import type { Logger } from '@pto/telemetry';
import type { Backends } from '../../backends.ts';
import type { GatewaySettings } from '../../config.ts';
import { type ClientCertificate, parseAnnouncedCertificates } from './announced-certificates.ts';

export type ConnectivitySettings = Pick<
  GatewaySettings,
  | 'environment'
  | 'publicBaseUrl'
  | 'egressAddresses'
  | 'connectivityCertificatesFile'
  | 'supportContact'
  | 'tlsReloadMs'
>;

const deadlineMs = 2000;
const readEveryMs = 10_000;

export type Connectivity = Awaited<ReturnType<ReturnType<typeof openConnectivity>>>;

/**
 * Returns a function that describes what a partner's firewall and receiver must allow, the body of
 * /connectivity.json. The figures of retries (contract 6.6, decisions 38 to 40) and the certificate
 * in use are those of the main cell's webhooks service; while it does not respond, those that it
 * reported last, or null.
 * @throws ConfigError if the file of certificates is invalid.
 */
export const openConnectivity = (
  settings: ConnectivitySettings,
  { webhooks }: Pick<Backends, 'webhooks'>,
  log: Pick<Logger, 'warn'>,
) => {
  const announced = watchAnnounced(settings, log);
  let reported: Awaited<ReturnType<typeof webhooks.getConnectivity>> | null = null;
  const read = cachedFor(readEveryMs, async () => {
    reported = await webhooks
      .getConnectivity({}, { cell: mainCell, deadline: performance.now() + deadlineMs })
      .catch(() => reported);
    return reported;
  });
  return async () => {
    const webhooksNow = await read();
    return {
      environment: settings.environment,
      api: { url: settings.publicBaseUrl || null, port: portOf(settings.publicBaseUrl) },
      egress_addresses: settings.egressAddresses,
      receivers: webhooksNow && receiversOf(webhooksNow),
      retries: webhooksNow && retriesOf(webhooksNow),
      client_certificates: shownCertificates(announced(), webhooksNow?.clientCertificate),
      support_contact: settings.supportContact || null,
    };
  };
};

type Reported = Awaited<ReturnType<Backends['webhooks']['getConnectivity']>>;

const receiversOf = (reported: Reported) => ({
  port: reported.onlyPort443 ? 443 : null,
  tls_versions: reported.tlsVersions,
  connect_timeout_seconds: reported.connectTimeoutSeconds,
  attempt_timeout_seconds: reported.attemptTimeoutSeconds,
  response_max_bytes: reported.responseMaxBytes,
});

const retriesOf = (reported: Reported) => ({
  attempts: reported.retryWaitSeconds.length + 1,
  wait_seconds: reported.retryWaitSeconds,
  jitter: reported.retryJitter,
  broken_failures: reported.brokenFailures,
  broken_min_age_seconds: reported.brokenMinAgeSeconds,
  broken_silence_seconds: reported.brokenSilenceSeconds,
});

const portOf = (url: string): number => {
  const { port, protocol } = new URL(url || 'https://any');
  return Number(port) || (protocol === 'http:' ? 80 : 443);
};

const watchAnnounced = (
  { connectivityCertificatesFile: file, tlsReloadMs }: ConnectivitySettings,
  log: Pick<Logger, 'warn'>,
): (() => readonly ClientCertificate[]) => {
  if (file === '') return () => [];
  return watchFiles([file], ([content]) => parseAnnouncedCertificates(content!), {
    name: 'CONNECTIVITY_CERTIFICATES_FILE',
    everyMs: tlsReloadMs,
    onInvalid: (err) =>
      log.warn({ err }, 'the connectivity certificates are invalid: the previous ones are shown'),
  }).current;
};

/**
 * Returns the announced certificates and the one in use, which may be missing among them.
 * @param inUse PEM; empty: webhooks presents none; undefined: unknown.
 */
const shownCertificates = (announced: readonly ClientCertificate[], inUse: string | undefined) => {
  const used = inUse ? new X509Certificate(inUse) : undefined;
  const isUsed = ({ fingerprint256 }: X509Certificate) => fingerprint256 === used?.fingerprint256;
  const isListed = !used || announced.some(({ certificate }) => isUsed(certificate));
  const all = isListed ? announced : [{ certificate: used, inUseFrom: null }, ...announced];
  return all.map(({ certificate, inUseFrom }) => ({
    subject: certificate.subject.replaceAll('\n', ', '),
    issuer: certificate.issuer.replaceAll('\n', ', '),
    serial_number: certificate.serialNumber,
    sha256: certificate.fingerprint256,
    valid_from: certificate.validFromDate.toISOString(),
    valid_until: certificate.validToDate.toISOString(),
    in_use: inUse === undefined ? null : isUsed(certificate),
    in_use_from: inUseFrom,
    pem: certificate.toString(),
  }));
};
