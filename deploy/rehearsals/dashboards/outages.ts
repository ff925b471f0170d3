import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { signalProcess } from '../../../e2e/kill.ts';
import type { LocalStack } from '../../../e2e/local-stack.ts';

/** Runs `work` while a store accepts connections and does not respond. */
export const whileHung = async (
  stack: LocalStack,
  store: 'kafka' | 'redis',
  work: () => Promise<void>,
): Promise<void> => {
  const pid = stack.file().stores.pids[store]!;
  signalProcess(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    signalProcess(pid, 'SIGCONT');
  }
};

/** Runs `work` while a session holds a lock on the orders, so that no statement reads one. */
export const whileOrdersAreLocked = (stack: LocalStack, work: () => Promise<void>): Promise<void> =>
  asSuperuser(stack, 'orders', async (client) => {
    await client.query('begin; lock table orders in access exclusive mode');
    try {
      await work();
    } finally {
      await client.query('rollback');
    }
  });
