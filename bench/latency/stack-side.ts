import type { Mesh } from '../../e2e/mesh.ts';
import { call, orderWith } from '../fairness/calls.ts';
import { stackCpu } from '../http/processes.ts';
import { requireStatus } from '../measuring/void-run.ts';
import type { Side } from './side.ts';

/** Ours: `POST /orders`, with the keys in turns. */
export const stackSide = (stack: Mesh, keys: readonly string[]): Side => {
  const { origin } = new URL(stack.file().baseUrl);
  return {
    name: 'local stack',
    send: async (n) => {
      const key = keys[n % keys.length];
      const { status, text, ms } = await call(origin, 'POST', '/orders', key, orderWith(2));
      requireStatus(`POST /orders ${text}`, 201, status);
      return { id: JSON.parse(text).id, ms };
    },
    cpu: () => stackCpu(stack.file()),
  };
};
