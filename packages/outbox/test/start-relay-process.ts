import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { sendingService } from './sending-service.ts';

/** A relay in a process of its own, to be killed without a chance to finish. */
export const startRelayProcess = async ({
  database,
  busSettings,
}: Pick<Awaited<ReturnType<typeof sendingService>>, 'database' | 'busSettings'>) => {
  const program = new URL('relay-program.ts', import.meta.url).pathname;
  const settings = { url: database.serviceUrl, busSettings };
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '', RELAY: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = new Promise<void>((resolve) =>
    createInterface({ input: child.stdout }).once('line', () => resolve()),
  );
  await Promise.race([ready, ended]);
  return {
    /** Neither works nor ends, until `resume`. */
    suspend: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
