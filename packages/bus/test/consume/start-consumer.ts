import { spawn } from 'node:child_process';
import type { consumingService } from './consuming-service.ts';

/** A consumer in a process of its own that kills itself between effect and offset. */
export const startConsumer = async (service: Awaited<ReturnType<typeof consumingService>>) => {
  const { database, busSettings, group, topic } = service;
  const program = new URL('consumer-program.ts', import.meta.url).pathname;
  const settings = { url: database.serviceUrl, busSettings, group, topic };
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '', CONSUMER: JSON.stringify(settings) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { ended: new Promise<void>((resolve) => child.once('exit', () => resolve())) };
};
