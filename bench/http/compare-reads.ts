/** Compares a read of the local stack with the same read of Express and pg, by wrk. */
import { startProgram } from '../drain/program.ts';
import { compare } from '../measuring/ratio.ts';
import { type Prepared, stackProcesses, withStack } from './stack.ts';
import { bearer, type HttpSide, httpSide } from './wrk.ts';

/**
 * One comparison for each number of connections, with Express and pg in one process on the stack's
 * database of orders.
 * @param goals by the number of connections.
 * @param common what both responses have in common; all of them by default.
 */
export const compareReads = (
  what: string,
  goals: Readonly<Record<number, string>>,
  pathOf: (prepared: Prepared) => string,
  common: NonNullable<HttpSide['common']> = (response) => response,
): Promise<void> =>
  withStack(async (prepared) => {
    const { stack, baseUrl, key, organizationId } = prepared;
    const path = pathOf(prepared);
    const databaseUrl = stack.file().stores.postgres.orders;
    const server = startProgram('../http/express-server.ts', { databaseUrl, organizationId });
    const origin = `http://127.0.0.1:${await server.received<number>()}`;
    const ours: HttpSide = {
      name: 'local stack',
      processes: stackProcesses(stack.file()),
      target: { url: baseUrl + path, headers: bearer(key), status: 200 },
      common,
    };
    const theirs: HttpSide = {
      name: 'express',
      processes: ['express-server', 'postgres'],
      target: { url: origin + path, status: 200 },
      common,
    };
    for (const [connections, goal] of Object.entries(goals)) {
      const by = { folder: stack.dir, connections: Number(connections) };
      const title = `${what} against Express and pg, ${connections} connections`;
      await compare(title, httpSide(ours, by), httpSide(theirs, by), { goal });
    }
    server.close();
  });
