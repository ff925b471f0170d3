import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { cluster } from './cluster.ts';

/** The kubelet brings a changed Secret within a minute or two; a process looks every 10 s. */
const renewedWithinMs = 240_000;
/** Connections by the Service's name, so that each pod is met. */
const connections = 12;

/** In a pod: the serial numbers of the certificates that `orders` presents, JSON. */
const script = `
  const fs = require('node:fs'), tls = require('node:tls');
  const files = { ca: fs.readFileSync('/tls/ca.crt'), cert: fs.readFileSync('/tls/tls.crt'), key: fs.readFileSync('/tls/tls.key') };
  const one = () => new Promise((resolve, reject) => {
    const socket = tls.connect({ ...files, host: 'orders', port: 8081, servername: 'orders' }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on('error', reject);
  });
  Promise.all(Array.from({ length: ${connections} }, one)).then((all) => process.stdout.write(JSON.stringify([...new Set(all)])));`;

/**
 * Has cert-manager issue orders' certificate again, and waits until every pod of orders presents the
 * new one to its clients. @returns what was seen. @throws where a pod was replaced on the way.
 */
export const renewCertificate = async (on: ReturnType<typeof cluster>): Promise<string> => {
  const served = async (): Promise<string[]> =>
    JSON.parse(await on.kubectl('exec', 'deployment/auditor', '--', 'node', '--eval', script));
  const pods = await on.pods('orders');
  const [before = '', ...others] = await served();
  assert.deepEqual(others, []);
  await on.kubectl('delete', 'secret', 'orders-tls');
  const [after = ''] = await until(
    async () => {
      const now = await served();
      return now.length === 1 && now[0] !== before ? now : null;
    },
    { deadlineMs: renewedWithinMs, what: 'the new certificate in every pod of orders' },
  );
  assert.deepEqual((await on.pods('orders')).sort(), pods.sort());
  return `serial ${before.slice(0, 8)}… → ${after.slice(0, 8)}…, the same ${pods.length} pods`;
};
