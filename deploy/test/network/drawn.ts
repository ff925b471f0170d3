/** The arrows that rendered network policies allow. */
import { type Manifest, podTemplates } from '../rendered.ts';
import { allows, type Endpoint } from './network.ts';

/** Somebody else's pod. @param namespace that of the release by default. */
export const pod = (name: string, ports: Record<string, number>, namespace?: string): Endpoint => ({
  name,
  labels: { 'app.kubernetes.io/name': name },
  ports,
  ...(namespace !== undefined && { namespace }),
});

/** The pods of releases; one of another namespace has it before its name. */
export const ourPods = (all: readonly Manifest[]): Endpoint[] =>
  podTemplates(all).map(({ metadata, spec }) => ({
    name: metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name,
    ...(metadata.namespace && { namespace: metadata.namespace }),
    labels: spec.template.metadata.labels,
    ports: Object.fromEntries(
      (spec.template.spec.containers[0].ports ?? []).map(
        ({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort],
      ),
    ),
  }));

/** Who may speak to whom, `from → to:port`: one of both is of the releases. */
export const drawn = (all: readonly Manifest[], around: readonly Endpoint[]): string[] => {
  const policies = all.filter(({ kind }) => kind === 'NetworkPolicy');
  const ours = ourPods(all);
  const everybody = [...ours, ...around];
  return everybody.flatMap((from) =>
    everybody.flatMap((to) =>
      Object.keys(to.ports)
        .filter(() => ours.includes(from) || ours.includes(to))
        .filter((port) => from !== to && allows(policies, from, to, port))
        .map((port) => `${from.name} → ${to.name}:${port}`),
    ),
  );
};
