/** One import between two files, by their paths in the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** `services/webhooks/src/deliverer/claim.ts` lies in the folder `deliverer` of `services/webhooks`. */
const place = /^((?:services|packages|verifiers|dev)\/[^/]+|operator|local|site)\/src\/([^/]+)\//;

/**
 * Finds the folders of a service, package or program that import each other in a circle. Files beside
 * the folders (`service.ts`, `config.ts`) compose them and count as no folder.
 * @returns for each circle its folders, and the imports between them.
 */
export const folderCycles = (
  imports: readonly Import[],
): { readonly folders: string[]; readonly imports: Import[] }[] => {
  const graph = new Map<string, Set<string>>();
  const between = imports.flatMap((one) => {
    const [, room, from] = place.exec(one.from) ?? [];
    const [, otherRoom, to] = place.exec(one.to) ?? [];
    if (room === undefined || room !== otherRoom || from === to) return [];
    const [a, b] = [`${room}/src/${from}`, `${room}/src/${to}`];
    graph.set(a, (graph.get(a) ?? new Set()).add(b));
    return [{ a, b, one }];
  });
  const reached = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const folder of graph.get(next) ?? [])
        if (!seen.has(folder)) {
          seen.add(folder);
          open.push(folder);
        }
    return seen;
  };
  const reach = new Map([...graph.keys()].map((folder) => [folder, reached(folder)]));
  const inCircle = (a: string, b: string) => reach.get(a)?.has(b) && reach.get(b)?.has(a);
  const done = new Set<string>();
  return [...reach.keys()].sort().flatMap((folder) => {
    if (done.has(folder) || !inCircle(folder, folder)) return [];
    const folders = [...reach.keys()].filter((other) => inCircle(folder, other)).sort();
    for (const other of folders) done.add(other);
    const inside = between.filter(({ a, b }) => folders.includes(a) && folders.includes(b));
    return [{ folders, imports: inside.map(({ one }) => one) }];
  });
};
