import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetStores, startStores } from '@pto/stores';
import { stores } from '@pto/testing';

/** A Redis that nobody else uses, so that a test may stop, starve and kill it. */
export const redisOfOurOwn = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-redis-'));
  chmodSync(dir, 0o755);
  const { postgres, kafka } = stores();
  const running = await startStores({
    dir,
    want: { postgres, redis: undefined, kafka: kafka ?? undefined },
    onProgress: () => {},
  });
  const { url, pid } = running.redis as { url: string; pid: number };
  return {
    url,
    signal: (name: NodeJS.Signals): void => {
      process.kill(pid, name);
    },
    stop: async () => {
      await running.stop();
      forgetStores(dir);
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
