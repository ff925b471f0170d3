import type { Cluster } from './cluster.ts';

/** Installs Traefik. @returns the address at which it takes partners' connections. */
export const openIngress = async (on: Cluster): Promise<string> => {
  const inIngress = (...words: string[]) => on.run('kubectl', ['--namespace', 'ingress', ...words]);
  await inIngress('apply', '-f', 'deploy/rehearsals/cluster/traefik.yaml');
  await inIngress('rollout', 'status', 'deployment/traefik', '--timeout=120s');
  return inIngress('get', 'service/traefik', '-o=jsonpath={.spec.clusterIP}');
};
