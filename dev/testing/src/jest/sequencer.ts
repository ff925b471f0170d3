/**
 * The order in which jest begins test files: first those whose parts follow each other on a stack of
 * their own, which take longest and mostly wait. The others follow as jest sorts them: by the time of
 * the run before, else by size.
 */
import { createRequire } from 'node:module';
import type * as jestSequencer from '@jest/test-sequencer';

const require = createRequire(import.meta.url);
// TypeScript takes the default export of this CommonJS package for its namespace
const { default: Sequencer } = require('@jest/test-sequencer') as typeof jestSequencer.default;

/** Such a file has the name of its folder. */
const isGroup = ({ path }: { path: string }): boolean =>
  /\/e2e\/test\/(\w+)\/\1\.test\.ts$/.test(path);

export default class GroupsFirst extends Sequencer {
  override async sort(...[tests]: Parameters<InstanceType<typeof Sequencer>['sort']>) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(isGroup), ...sorted.filter((test) => !isGroup(test))];
  }
}
