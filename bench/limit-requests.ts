/**
 * R7: GET /orders/{id} through a gateway with the rate limiter against the same without, on one
 * local stack. The limiter is the budgets of keys in Redis; the limits of bytes and of concurrent
 * requests stay on both sides. Both gateways are started from the sources. `node
 * bench/limit-requests.ts`. Needs wrk.
 */
import { fork } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '@pto/testing';
import { compareRequests } from './http/compare-requests.ts';
import { type Prepared, stackProcesses, withStack } from './http/stack.ts';
import { bearer } from './http/wrk.ts';
import { nameProcess } from './measuring/process-cpu.ts';

/** The environment with which a process was started, as the kernel shows it (Linux). */
const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/**
 * Starts a gateway beside that of the stack, with its settings, and waits until it is ready. It ends
 * when this process exits, also by an error.
 */
const gatewaySide = async ({ stack, key, orderId }: Prepared, limited: boolean) => {
  const name = limited ? 'with rate limiter' : 'without';
  const file = stack.file();
  const { pid } = file.services.find((service) => service.name === 'gateway')!;
  const [http, admin, connect] = [await freePort(), await freePort(), await freePort()];
  const ports = { HTTP_PORT: `${http}`, ADMIN_PORT: `${admin}`, CONNECT_PORT: `${connect}` };
  const log = openSync(join(stack.dir, `gateway-${limited}.log`), 'a');
  const child = fork(
    join(import.meta.dirname, 'limiter/gateway.ts'),
    [JSON.stringify({ limited })],
    {
      env: { ...environmentOf(pid), ...ports },
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  process.once('exit', () => child.kill());
  nameProcess(child.pid!, `gateway ${name}`);
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
    close: () => child.kill(),
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
