import { fork } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '@pto/testing';
import { cpuMicrosIn } from '../measuring/process-cpu.ts';
import { nameProcess } from '../measuring/profile-names.ts';
import { environmentOf } from './environment-of.ts';
import { stackCpu } from './processes.ts';
import type { Prepared } from './with-stack.ts';

/** The settings of the stack's own gateway. */
const gatewaySettings = ({ stack }: Prepared): Record<string, string> =>
  environmentOf(stack.file().services.find(({ name }) => name === 'gateway')!.pid);

/**
 * Starts a gateway beside that of the stack, on its stores and services, and waits until it is
 * ready. It ends when this process exits, also by an error.
 * @param program the file that starts it; `settings` is for the program.
 */
export const startGatewayProcess = async (
  prepared: Prepared,
  { name, program, settings = {} }: { name: string; program: string; settings?: object },
) => {
  const { stack } = prepared;
  const [http, admin, connect] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...gatewaySettings(prepared),
    HTTP_PORT: `${http}`,
    ADMIN_PORT: `${admin}`,
    CONNECT_PORT: `${connect}`,
  };
  const fileName = `gateway-${name.replaceAll(' ', '-')}`;
  const log = openSync(join(stack.dir, `${fileName}.log`), 'a');
  const child = fork(program, [JSON.stringify(settings)], {
    env,
    stdio: ['ignore', log, log, 'ipc'],
  });
  process.once('exit', () => child.kill());
  nameProcess(child.pid!, fileName);
  await until(async () => (await fetch(`http://127.0.0.1:${admin}/readyz`)).ok, {
    deadlineMs: 60_000,
    what: `a gateway ${name}`,
  });
  return {
    name,
    origin: `http://127.0.0.1:${http}`,
    cpu: () => ({
      ...stackCpu(stack.file()),
      [`gateway ${name}`]: cpuMicrosIn(readFileSync(`/proc/${child.pid}/stat`, 'utf8')),
    }),
    close: () => child.kill(),
  };
};
