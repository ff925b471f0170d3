import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { tlsOf } from '@pto/testing';
import { clientOf, startOrders } from '../bundles/order-server.ts';

const program = fileURLToPath(new URL('./stopped-peer.ts', import.meta.url));
/** The first ping of a connection is sent after 10 s. */
const beforePingMs = 9000;
const stoppedMs = 5000;

test('a peer that is stopped for 5 s while it is pinged loses no call, in either direction', async () => {
  let release = (): void => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startOrders([], slow);
  const tls = [tlsOf('orders'), tlsOf('gateway')].map((one) => JSON.stringify(one));
  const peer = fork(program, [`${server.port}`, ...tls], { execArgv: [] });
  try {
    const [port] = await once(peer, 'message');
    const client = clientOf(port);
    const deadline = Date.now() + 60_000;
    const own = client.createOrder({ externalId: 'slow' }, { deadline });
    const outcome = own.then(
      () => 'responded',
      (error) => error.kind,
    );
    await sleep(beforePingMs);
    peer.kill('SIGSTOP');
    await sleep(stoppedMs);
    peer.kill('SIGCONT');
    const theirs = once(peer, 'message');
    release();
    peer.send('release');
    expect([await outcome, (await theirs)[0]]).toEqual(['responded', 'responded']);
    client.close();
  } finally {
    peer.kill('SIGKILL');
    await server.stop();
  }
}, 40_000);
