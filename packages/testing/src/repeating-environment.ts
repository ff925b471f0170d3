/**
 * Jest's environment for `npm run test:repeat -- PATH`: runs each test REPEAT times (100), between
 * one beforeAll and one afterAll.
 */
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

const times = Number(process.env.REPEAT ?? '100');

const repeat = (block: Circus.DescribeBlock): void => {
  type Child = Circus.DescribeBlock | Circus.TestEntry;
  block.children = block.children.flatMap((child): Child[] => {
    if (child.type === 'describeBlock') {
      repeat(child);
      return [child];
    }
    return Array.from({ length: times }, (_, n) => ({
      ...child,
      name: `${child.name} (${n + 1} of ${times})`,
      errors: [],
      invocations: 0,
    }));
  });
};

export default class RepeatingEnvironment extends TestEnvironment {
  async handleTestEvent({ name }: Circus.Event, state: Circus.State): Promise<void> {
    if (name === 'run_start') repeat(state.rootDescribeBlock);
  }
}
