/**
 * Jest's environment for tests of races (`--testEnvironment`): all tests of a file run REPEAT times (100), each
 * time between the file's own beforeAll and afterAll.
 */
import type { Circus } from '@jest/types';
import NativeEnvironment from './native-environment.ts';

const times = Number(process.env.REPEAT ?? '100');

const copyOf = (block: Circus.DescribeBlock, parent: Circus.DescribeBlock, name: string) => {
  const copy: Circus.DescribeBlock = { ...block, parent, name };
  copy.children = block.children.map((child) =>
    child.type === 'describeBlock'
      ? copyOf(child, copy, child.name)
      : { ...child, parent: copy, errors: [], invocations: 0 },
  );
  return copy;
};

export default class RepeatingEnvironment extends NativeEnvironment {
  async handleTestEvent({ name }: Circus.Event, state: Circus.State): Promise<void> {
    if (name !== 'run_start') return;
    const root = state.rootDescribeBlock;
    root.children = Array.from({ length: times }, (_, n) =>
      copyOf(root, root, `${n + 1} of ${times}`),
    );
    root.hooks = [];
  }
}
