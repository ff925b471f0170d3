import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pto/testing';
import type { Mesh } from './mesh.ts';

/** For the local stack's environment: each process opens its inspector on a free port on demand. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=0' };

/**
 * The resident memory of a service's first process after all garbage is collected: what somebody
 * still holds. Without that, its size tells how lazily V8 collects and not what a request has left.
 */
export const keptBytes = async (mesh: Mesh, name: string): Promise<number> => {
  const { pid } = mesh.file().services.find((service) => service.name === name)!;
  process.kill(pid, 'SIGUSR1');
  const log = join(mesh.dir, 'logs', `${name}-0.log`);
  const url = await until(
    () => /Debugger listening on (ws:\S+?)["\s\\]/.exec(readFileSync(log, 'utf8'))?.[1],
    { what: `the inspector of ${name}` },
  );
  const inspector = new WebSocket(url);
  await new Promise((resolve, reject) => {
    inspector.onopen = resolve;
    inspector.onerror = reject;
  });
  for (const id of [1, 2]) {
    const answered = new Promise((resolve) => {
      inspector.onmessage = resolve;
    });
    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await answered;
  }
  inspector.close();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
};
