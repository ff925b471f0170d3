/**
 * R7: GET /orders/{id} through a gateway with the rate limiter against the same without, on one
 * local stack. The limiter is the budgets of keys in Redis; the limits of bytes and of concurrent
 * requests stay on both sides. Both gateways are started from the sources. `node
 * bench/limit-requests.ts`. Needs wrk.
 */
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '@pto/testing';
import { environmentOf } from '../e2e/kill.ts';
import { startProgram } from './drain/program.ts';
import { compareRequests } from './http/compare-requests.ts';
import { type Prepared, stackProcesses, withStack } from './http/stack.ts';
import { bearer } from './http/wrk.ts';
import { nameProcess } from './measuring/process-cpu.ts';

/** Starts a gateway beside that of the stack, with its settings, and waits until it is ready. */
const gatewaySide = async ({ stack, key, orderId }: Prepared, limited: boolean) => {
  const name = limited ? 'with rate limiter' : 'without';
  const file = stack.file();
  const { pid } = file.services.find((service) => service.name === 'gateway')!;
  const [http, admin, connect] = [await freePort(), await freePort(), await freePort()];
  const ports = { HTTP_PORT: `${http}`, ADMIN_PORT: `${admin}`, CONNECT_PORT: `${connect}` };
  const log = openSync(join(stack.dir, `gateway-${limited}.log`), 'a');
  const settings = { limited };
  const program = startProgram('../limiter/gateway.ts', settings, {
    env: { ...environmentOf(pid), ...ports },
    stdio: ['ignore', log, log, 'ipc'],
  });
  nameProcess(program.pid, `gateway ${name}`);
  await until(async () => (await fetch(`http://127.0.0.1:${admin}/readyz`)).ok, {
    deadlineMs: 60_000,
    what: `a gateway ${name}`,
  });
  return {
    name,
    processes: [...stackProcesses(file), `gateway ${name}`],
    target: {
      url: `http://127.0.0.1:${http}/api/partner/v1/orders/${orderId}`,
      headers: bearer(key),
      status: 200,
    },
    common: (response: object) => response,
    close: program.close,
  };
};

await withStack(async (prepared) => {
  const limited = await gatewaySide(prepared, true);
  const unlimited = await gatewaySide(prepared, false);
  await compareRequests(
    'R7: GET /orders/{id} with the rate limiter against without',
    prepared,
    limited,
    unlimited,
  );
  limited.close();
  unlimited.close();
});
