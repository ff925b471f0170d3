import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const responseTimeoutMs = 5000;

/**
 * Waits up to 5 s until a server listens at the address of a store that the user gave. Does nothing
 * for a Unix socket.
 * @throws Error naming the variable and the address, never a password, if no server listens.
 */
export const reach = async (
  variable: string,
  address: string,
  usualPort: number,
): Promise<void> => {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  if (!hostname) return; // an address without a host is a Unix socket: the driver reports its errors
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usualPort) };
  const deadline = performance.now() + responseTimeoutMs;
  for (;;) {
    const fault = await attempt(target);
    if (fault === undefined) return;
    if (performance.now() > deadline)
      throw new Error(`${variable}: nobody answers at ${target.host}:${target.port} (${fault})`);
    await sleep(200);
  }
};

const attempt = (target: { host: string; port: number }): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(target, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .setTimeout(2000, () => {
        socket.destroy();
        resolve('no answer within 2 s');
      });
  });
