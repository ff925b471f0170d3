/** Clusters of this machine: those that Tilt may change, and the test cluster, whose context is `node`. */
const names = ['docker-desktop', 'rancher-desktop', 'minikube', 'node'];
const families = ['kind-', 'k3d-'];

/**
 * Requires that rehearsals may change the cluster of a context: they cordon nodes, delete namespaces
 * and scale other programs to 0.
 * @param allowed a context of another name that they may change: `REHEARSE_CONTEXT`.
 * @throws Error naming the context.
 */
export const requireLocalContext = (context: string, allowed: string | undefined): void => {
  if (context === allowed || names.includes(context)) return;
  if (families.some((family) => context.startsWith(family))) return;
  throw new Error(
    `rehearsals do not change the cluster "${context}": they work with ` +
      `${[...families.map((family) => `${family}*`), ...names].join(', ')} only. Choose one with ` +
      'kubectl config use-context NAME, or name this one in REHEARSE_CONTEXT',
  );
};
