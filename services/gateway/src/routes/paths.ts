import type { Route } from './route.ts';

/** The path of the table that a request's target matches, with its operations. */
export interface RoutePath {
  /** Path relative to the base path, with parameters as `:name`. */
  readonly path: string;
  /** The supported methods, for the header `Allow`. */
  readonly allow: string;
  /** The values of the parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Returns the operation of a method, HEAD as GET; undefined: the path does not support it. */
  rowOf(method: string | undefined): Route | undefined;
}

/**
 * Returns a function that finds the path that a request's target matches; undefined: none does.
 * Paths match exactly, and an encoded slash or a fragment matches nothing (decision 15).
 */
export const pathFinder = (table: readonly Route[], basePath: string) => {
  const paths = [...Map.groupBy(table, (row) => row.path)].map(([path, rows]) => ({
    path,
    pattern: new RegExp(`^${basePath}${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    allow: [
      ...rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      'OPTIONS',
    ].join(', '),
    rowOf: (method: string | undefined) =>
      rows.find((row) => row.method === (method === 'HEAD' ? 'GET' : method)),
  }));
  return (target: string): RoutePath | undefined => {
    const [path = ''] = target.split('?');
    if (/%2f|#/i.test(path)) return undefined;
    for (const found of paths) {
      const match = found.pattern.exec(path);
      if (!match) continue;
      const parameters = Object.entries(match.groups ?? {}).map(([name, text]) => [
        name,
        decoded(text),
      ]);
      return { ...found, parameters: Object.fromEntries(parameters) };
    }
    return undefined;
  };
};

export type FindPath = ReturnType<typeof pathFinder>;

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
