import type { Route } from './route.ts';

/** A path of the table with its operations. */
export interface RoutePath {
  /** Path relative to the base path, with parameters as `:name`. */
  readonly path: string;
  /** The supported methods, for the header `Allow`. */
  readonly allow: string;
  /** Returns the operation of a method, HEAD as GET; undefined: the path does not support it. */
  rowOf(method: string | undefined): Route | undefined;
  /** Returns the values of the parameters in a target that matches this path. */
  parametersIn(target: string): Readonly<Record<string, string>>;
}

/**
 * Returns a function that finds the path that a request's target matches; undefined: none does.
 * Paths match exactly, and an encoded slash or a fragment matches nothing (decision 15).
 */
export const pathFinder = (table: readonly Route[], basePath: string) => {
  const candidates = new Map<number, { segments: readonly string[]; found: RoutePath }[]>();
  for (const [path, rows] of Map.groupBy(table, (row) => row.path)) {
    const segments = `${basePath}${path}`.split('/');
    const ofLength = candidates.get(segments.length) ?? [];
    candidates.set(segments.length, ofLength);
    ofLength.push({ segments, found: routePath(path, segments, rows) });
  }
  return (target: string): RoutePath | undefined => {
    const path = pathOf(target);
    if (target[path.length] === '#' || /%2f/i.test(path)) return undefined;
    const given = path.split('/');
    return candidates.get(given.length)?.find(({ segments }) => isMatch(segments, given))?.found;
  };
};

export type FindPath = ReturnType<typeof pathFinder>;

/** Returns the path of a request's target, without query and fragment. */
const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
};

const isMatch = (segments: readonly string[], given: readonly string[]): boolean =>
  segments.every((segment, n) => (segment[0] === ':' ? given[n] !== '' : segment === given[n]));

const routePath = (
  path: string,
  segments: readonly string[],
  rows: readonly Route[],
): RoutePath => ({
  path,
  allow: [
    ...rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    'OPTIONS',
  ].join(', '),
  rowOf: (method) => {
    const of = method === 'HEAD' ? 'GET' : method;
    return rows.find((row) => row.method === of);
  },
  parametersIn: (target) => {
    const given = pathOf(target).split('/');
    const entries = segments.flatMap((segment, n) =>
      segment[0] === ':' ? [[segment.slice(1), decoded(given[n]!)] as const] : [],
    );
    return Object.fromEntries(entries);
  },
});

/** Decodes a segment. Bytes that are not UTF-8 become U+FFFD, so that an id with them is invalid. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    const bytes = segment.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
};
