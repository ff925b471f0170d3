import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Cluster } from './cluster.ts';
import { runningPods } from './eviction.ts';

/** Processes with a certificate of their own. */
export const certified: readonly string[] = [
  ...['gateway', 'operators', 'orders', 'custody', 'webhooks', 'auditor', 'courier'],
];
/** A renewal, the kubelet's minute or two, and the 10 s of TLS_RELOAD. */
const takenWithinMs = 300_000;
/** CertificateEndsSoon fires at less. */
const alertSeconds = 14 * 86_400;

/** When the certificate of a process and the last of its authorities expire, in seconds since 1970. */
export interface Expiries {
  readonly certificate: number;
  readonly authority: number;
}

/** In a pod: the series of the alert CertificateEndsSoon. */
const script = `
  fetch('http://127.0.0.1:9090/metrics').then((response) => response.text()).then((text) => {
    const lines = text.matchAll(/^tls_certificate_expires_seconds\\{[^}]*file="(\\w+)"[^}]*\\} (\\S+)$/gm);
    const shown = Array.from(lines, ([, file, seconds]) => [file, Number(seconds)]);
    console.log(JSON.stringify(Object.fromEntries(shown)));
  });`;

/**
 * Waits until each pod uses the files that are expected.
 * @throws Error if a pod shows a certificate for which CertificateEndsSoon would fire.
 */
export const untilInUse = async (
  on: Cluster,
  what: string,
  expected: (files: Expiries) => boolean,
): Promise<void> => {
  const pods = (await runningPods(on)).filter(({ process }) => certified.includes(process));
  assert.equal(new Set(pods.map(({ process }) => process)).size, certified.length);
  const waiting = new Set(pods.map(({ name }) => name));
  const alerting: string[] = [];
  await until(
    async () => {
      for (const name of waiting) {
        const printed = await on.look('exec', name, '--', 'node', '--eval', script);
        const files = JSON.parse(printed) as Expiries;
        const soonest = Math.min(files.certificate, files.authority);
        if (soonest - Date.now() / 1000 < alertSeconds) alerting.push(`${name} ${printed}`);
        if (expected(files)) waiting.delete(name);
      }
      return waiting.size === 0;
    },
    { deadlineMs: takenWithinMs, what },
  );
  assert.deepEqual(alerting, [], 'CertificateEndsSoon stays silent');
};
