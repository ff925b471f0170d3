/**
 * The order in which jest begins test files: first those whose parts follow each other on a stack of
 * their own, which mostly wait; then the other black-box tests; then the rest. Within each as jest
 * does it: by the time of the run before, else by size.
 */
import { createRequire } from 'node:module';
import type * as jestSequencer from '@jest/test-sequencer';

const require = createRequire(import.meta.url);
// TypeScript takes the default export of this CommonJS package for its namespace
const { default: Sequencer } = require('@jest/test-sequencer') as typeof jestSequencer.default;

const rank = (path: string): number => {
  if (/\/e2e\/test\/(\w+)\/\1\.test\.ts$/.test(path)) return 0;
  return path.includes('/e2e/') ? 1 : 2;
};

export default class FirstOfAll extends Sequencer {
  override async sort(...[tests]: Parameters<InstanceType<typeof Sequencer>['sort']>) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rank(one.path) - rank(other.path));
  }
}
