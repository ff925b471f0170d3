/** Time for which a replica that has not responded gets no call, in ms; then one call tries it. */
const restMs = 10_000;

/**
 * Chooses replicas in turn, without those that have not responded a short while ago: a process that
 * neither works nor ends accepts connections, and each of its calls takes until its deadline.
 */
export const roundRobin = <Replica>(replicas: readonly Replica[], rest = restMs) => {
  const restsUntil = new Map<Replica, number>();
  let turn = 0;
  const next = (): Replica => replicas[turn++ % replicas.length]!;
  const silent = (replica: Replica): void => {
    restsUntil.set(replica, performance.now() + rest);
  };
  return {
    /** Returns one that rests if all rest. */
    choose: (): Replica => {
      for (let n = 0; n < replicas.length; n++) {
        const replica = next();
        const until = restsUntil.get(replica);
        if (until === undefined) return replica;
        if (until > performance.now()) continue;
        silent(replica); // until this call has a response, the others go elsewhere
        return replica;
      }
      return next();
    },
    silent,
    responded: (replica: Replica): void => {
      restsUntil.delete(replica);
    },
  };
};
