import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { areas } from '../stryker/areas.ts';

const root = new URL('../..', import.meta.url).pathname;

/** `a/{b,c}.ts` names a/b.ts and a/c.ts: a glob of both is silent when one of them has moved. */
const alternatives = (glob: string): string[] => {
  const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(glob);
  if (!braces) return [glob];
  const [, before, names, after] = braces as unknown as [string, string, string, string];
  return names.split(',').flatMap((name) => alternatives(`${before}${name}${after}`));
};

test.each(areas)('each file of the area $name exists', ({ mutate, tests }) => {
  for (const glob of [...mutate, ...tests].flatMap(alternatives))
    expect([glob, globSync(glob, { cwd: root }).length > 0]).toEqual([glob, true]);
});
