import type { Group, Token } from './sql-tokens.ts';

export type Part = Token | Group;
export type Query = readonly Part[];

export const isGroup = (part: Part | undefined): part is Group => typeof part === 'object';
const first = new Set(['select', 'with', 'insert', 'update', 'delete', 'values']);
export const isQuery = (part: Part | undefined): boolean =>
  isGroup(part) && typeof part.parts[0] === 'string' && first.has(part.parts[0]);

/** Returns the queries of a statement, each without those within it. */
export const queriesOf = (root: Group): Query[] => {
  const queries: Query[] = [];
  const visit = (group: Group): void => {
    if (isQuery(group)) queries.push(...splitUnion(group.parts));
    for (const part of group.parts) if (isGroup(part)) visit(part);
  };
  visit(root);
  return queries;
};

const splitUnion = (parts: Query): Query[] => {
  const queries: Part[][] = [[]];
  for (const part of parts)
    if (part === 'union' || part === 'intersect' || part === 'except') queries.push([]);
    else queries.at(-1)!.push(part);
  return queries;
};

/** Returns the names that `with` gives to queries. */
export const namesOfWith = (group: Group): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = ({ parts }: Group): void => {
    for (const [n, part] of parts.entries()) {
      if (isGroup(part)) visit(part);
      if (part !== 'as') continue;
      const body = parts.slice(n + 1).find((one) => one !== 'not' && one !== 'materialized');
      const before = parts[n - 1];
      const name = isGroup(before) ? parts[n - 2] : before;
      if (isQuery(body) && typeof name === 'string') names.add(name);
    }
  };
  visit(group);
  return names;
};
