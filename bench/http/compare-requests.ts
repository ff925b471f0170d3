/** Compares requests to the local stack with the same requests to another server, by wrk. */
import { startProgram } from '../drain/program.ts';
import type { CpuMicros } from '../measuring/process-cpu.ts';
import { compare } from '../measuring/ratio.ts';
import { besideEarlierGateway } from './earlier-gateway.ts';
import { processCpu, stackCpu } from './processes.ts';
import { responseOf } from './response-of.ts';
import { httpSide } from './side.ts';
import type { Prepared } from './with-stack.ts';
import type { Target } from './wrk.ts';

const connectionCounts = (process.env.CONNECTIONS ?? '32').split(',').map(Number);

interface RequestSide {
  readonly name: string;
  target(): Promise<Target>;
  cpu(): CpuMicros;
  /** What of the response both sides have in common; without it, responses are not compared. */
  common?(response: Record<string, unknown>): unknown;
}

/**
 * One comparison for each number of connections in CONNECTIONS. With BEFORE=FOLDER the gateways of
 * this checkout and of that folder are compared, by the requests of our side.
 */
export const compareRequests = async (
  what: string,
  prepared: Prepared,
  ...sides: readonly [ours: RequestSide, theirs: RequestSide]
): Promise<void> => {
  const { stack } = prepared;
  const before = process.env.BEFORE;
  const gateways = before && (await besideEarlierGateway(prepared, sides[0].target, before));
  const compared = gateways || sides;
  for (const connections of connectionCounts) {
    const [ours, theirs] = compared.map(({ common, ...side }) =>
      httpSide({
        ...side,
        folder: stack.dir,
        connections,
        ...(common && { response: async () => common(await responseOf(await side.target())) }),
      }),
    );
    const name = before ? `${what.replace(/ against .*/, '')} against the gateway before` : what;
    await compare(`${name}, ${connections} connections`, ours!, theirs!);
  }
  for (const { close } of gateways || []) close();
};

export const stackSide = ({ stack }: Prepared, name = 'local stack') => ({
  name,
  cpu: () => stackCpu(stack.file()),
});

/** Express and pg in one process, on the stack's database of orders. */
export const expressSide = async ({ stack, organizationId }: Prepared, path: string) => {
  const file = stack.file();
  const databaseUrl = file.stores.postgres.orders;
  const server = startProgram('../http/express-server.ts', {
    databaseUrl,
    organizationId,
  });
  const origin = `http://127.0.0.1:${await server.received<number>()}`;
  return {
    name: 'express',
    target: async () => ({ url: origin + path, status: 200 }),
    cpu: () => processCpu('express', server.pid, file),
    close: server.close,
  };
};
