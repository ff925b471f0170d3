/**
 * The size of an experiment: `npm test` takes the first one; with EXPERIMENTS=weekly, as the weekly
 * job sets it, the second.
 */
export const size = (usual: number, weekly: number): number =>
  process.env.EXPERIMENTS === 'weekly' ? weekly : usual;
