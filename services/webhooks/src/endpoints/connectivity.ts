import { X509Certificate } from 'node:crypto';
import { DEFAULT_MAX_VERSION, DEFAULT_MIN_VERSION } from 'node:tls';
import { responseMaxBytes } from '../deliverer/attempt.ts';
import { jitter } from '../deliverer/retry-schedule.ts';
import type { EndpointDeps } from './deps.ts';

const versions = ['TLSv1.2', 'TLSv1.3'];

/**
 * Returns what receivers and their firewalls must accept: the retry schedule, time limits, when an
 * endpoint becomes BROKEN (decisions 38 to 40), versions of TLS, and the client certificate in use,
 * without its key and its chain.
 */
export const connectivity = (deps: EndpointDeps) => {
  const cert = deps.clientCertificate();
  const { brokenFailures, brokenMinAgeMs, brokenSilenceMs } = deps.health;
  return {
    retryWaitSeconds: deps.retryWaitsMs.map((ms) => ms / 1000),
    retryJitter: jitter,
    attemptTimeoutSeconds: deps.attemptTimeoutMs / 1000,
    connectTimeoutSeconds: deps.connectTimeoutMs / 1000,
    responseMaxBytes,
    brokenFailures,
    brokenMinAgeSeconds: brokenMinAgeMs / 1000,
    brokenSilenceSeconds: brokenSilenceMs / 1000,
    clientCertificate: cert ? new X509Certificate(cert).toString() : '',
    tlsVersions: versions.slice(
      versions.indexOf(DEFAULT_MIN_VERSION),
      versions.indexOf(DEFAULT_MAX_VERSION) + 1,
    ),
    onlyPort443: deps.policy.only443,
  };
};
