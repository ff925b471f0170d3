import { until } from '@pto/testing';
import type { Cluster } from './cluster.ts';

const readyWithin = '--timeout=120s';
/** Each certificate is renewed a minute after it was issued, whatever its lifetime. */
const renewedEachMinute = { internal: '719h59m', public: '2159h59m' };
/** Of the chart. */
const renewBefore = '360h';
export const lifetimeSeconds = 720 * 3600;
const renewalDueWithinMs = 120_000;

/** Opens cert-manager, which the cluster must have, and the issuer of public certificates. */
export const openCertManager = async (on: Cluster) => {
  const inItsOwn = (...words: string[]) =>
    on.run('kubectl', ['--namespace', 'cert-manager', ...words]);
  const ready = () => inItsOwn('rollout', 'status', 'deployment/cert-manager', readyWithin);
  await ready().catch((cause) => {
    throw new Error('needs cert-manager in the namespace cert-manager', { cause });
  });
  await inItsOwn('apply', '-f', 'deploy/rehearsals/cluster/issuers.yaml');
  await inItsOwn('wait', '--for=condition=Ready', 'certificate/public-authority', readyWithin);
  const path = '-o=jsonpath={.data.tls\\.crt}';
  const authority = await inItsOwn('get', 'secret/public-authority', path);
  return {
    /** The authority of the public certificate, PEM. */
    publicAuthority: Buffer.from(authority, 'base64').toString(),
    stop: async (): Promise<void> => {
      await inItsOwn('scale', 'deployment/cert-manager', '--replicas=0');
      const pods = ['pods', '-l', 'app.kubernetes.io/component=controller'];
      await inItsOwn('wait', '--for=delete', ...pods, readyWithin);
    },
    start: async (): Promise<void> => {
      await inItsOwn('scale', 'deployment/cert-manager', '--replicas=1');
      await ready();
    },
  };
};

/** Annotations with which the Ingress gets a public certificate that is renewed each minute. */
export const publicCertificate: Readonly<Record<string, string>> = {
  'cert-manager.io/cluster-issuer': 'public',
  'cert-manager.io/renew-before': renewedEachMinute.public,
};

/** Has the certificates of the processes renewed each minute, or as the chart says. */
export const renewEachMinute = async (
  on: Cluster,
  processes: readonly string[],
  often: boolean,
): Promise<void> => {
  const spec = { renewBefore: often ? renewedEachMinute.internal : renewBefore };
  const patch = ['--type=merge', '--patch', JSON.stringify({ spec })];
  await on.kubectl('patch', 'certificate', ...processes, ...patch);
};

/** Waits until the renewal of each certificate is due. */
export const renewalsDue = async (on: Cluster): Promise<void> => {
  const path = '-o=jsonpath={.items[*].status.renewalTime}';
  await until(
    async () => {
      const times = (await on.look('get', 'certificates', path)).split(' ');
      return times.every((time) => Date.parse(time) < Date.now());
    },
    { deadlineMs: renewalDueWithinMs, what: 'the renewals to be due' },
  );
};
