import { spawn } from 'node:child_process';
import { once } from 'node:events';

const forwardedWithinMs = 30_000;

/**
 * Opens a free port of this machine to a port of the cluster, by `kubectl port-forward`.
 * @param where `--namespace` and its name.
 */
export const forwardPort = async (
  where: readonly string[],
  object: string,
  remotePort: number,
): Promise<{ readonly port: number; close(): void }> => {
  const words = ['port-forward', '--address=127.0.0.1', object, `:${remotePort}`];
  const child = spawn('kubectl', [...where, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(child.stdout, 'data', {
      signal: AbortSignal.timeout(forwardedWithinMs),
    });
    const [, port] = /127\.0\.0\.1:(\d+) ->/.exec(String(line)) ?? [];
    if (port === undefined) throw new Error(`kubectl port-forward printed ${line}`);
    // the pipe must be read: kubectl prints a line for each connection
    child.stdout.resume();
    return { port: Number(port), close: () => void child.kill() };
  } catch (error) {
    child.kill();
    throw error;
  }
};
