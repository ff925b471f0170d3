import type { Stage } from '../stage/rehearsal.ts';
import type { Cluster } from './cluster.ts';
import { forwardPort } from './port-forward.ts';

const itsNamespace = ['--namespace', 'kube-state-metrics'];

/** Installs kube-state-metrics. @returns the host and port at which Prometheus scrapes it. */
export const openStateMetrics = async (on: Cluster, stage: Stage): Promise<string> => {
  await on.run('kubectl', ['apply', '-f', 'deploy/rehearsals/cluster/kube-state-metrics.yaml']);
  const rollout = ['rollout', 'status', 'deployment/kube-state-metrics', '--timeout=120s'];
  await on.run('kubectl', [...itsNamespace, ...rollout]).catch((cause) => {
    throw new Error('needs the image localhost/kube-state-metrics:local', { cause });
  });
  const { port, close } = await forwardPort(itsNamespace, 'service/kube-state-metrics', 8080);
  stage.atEnd(close);
  return `127.0.0.1:${port}`;
};
