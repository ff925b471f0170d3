/** Compares requests to the local stack with the same requests to another server, by wrk. */
import { startProgram } from '../drain/program.ts';
import { nameProcess } from '../measuring/process-cpu.ts';
import { compare } from '../measuring/ratio.ts';
import { type Prepared, stackProcesses } from './stack.ts';
import { type HttpSide, httpSide, type Target } from './wrk.ts';

export const connectionCounts = (process.env.CONNECTIONS ?? '32').split(',').map(Number);

/** One comparison for each number of connections in CONNECTIONS. */
export const compareRequests = async (
  what: string,
  { stack }: Prepared,
  ours: HttpSide,
  theirs: HttpSide,
): Promise<void> => {
  for (const connections of connectionCounts) {
    const by = { folder: stack.dir, connections };
    await compare(`${what}, ${connections} connections`, httpSide(ours, by), httpSide(theirs, by));
  }
};

/** Requests to the local stack. Their responses are compared as they are. */
export const stackSide = ({ stack }: Prepared, target: Target, name = 'local stack'): HttpSide => ({
  name,
  processes: stackProcesses(stack.file()),
  target,
  common: (response) => response,
});

/** Express and pg in one process, on the stack's database of orders. */
export const expressSide = async ({ stack, organizationId }: Prepared, path: string) => {
  const databaseUrl = stack.file().stores.postgres.orders;
  const settings = { databaseUrl, organizationId };
  const server = startProgram('../http/express-server.ts', settings);
  nameProcess(server.pid, 'express');
  const origin = `http://127.0.0.1:${await server.received<number>()}`;
  return {
    name: 'express',
    processes: ['express', 'postgres'],
    target: { url: origin + path, status: 200 },
    common: (response: Record<string, unknown>): unknown => response,
    close: server.close,
  };
};
