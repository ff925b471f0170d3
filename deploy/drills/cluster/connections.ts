import type { Cluster } from './cluster.ts';

/** Those of the architecture, and others to the same Services, which the network policies reject. */
export const connections = [
  ['first', 'gateway', 'cell', 'orders-headless', 50_051, true],
  ['first', 'gateway', 'cell', 'courier-headless', 50_051, true],
  ['first', 'operators', 'cell', 'orders', 8081, true],
  ['first', 'operators', 'cell', 'custody', 8081, true],
  ['cell', 'webhooks', 'first', 'operators', 8081, true],
  ['first', 'custody', 'first', 'orders', 8081, true],
  ['cell', 'custody', 'cell', 'orders', 8081, true],
  ['first', 'gateway', 'first', 'redis', 6379, true],
  ['first', 'orders', 'first', 'postgres', 5432, true],
  ['cell', 'custody', 'first', 'orders', 8081, false],
  ['first', 'custody', 'cell', 'orders', 8081, false],
  ['cell', 'orders', 'first', 'operators', 8081, false],
  ['first', 'gateway', 'cell', 'custody', 8081, false],
  ['cell', 'webhooks', 'first', 'redis', 6379, false],
  ['cell', 'orders', 'first', 'postgres', 5432, false],
] as const;

/** What a network does that drops or rejects packets. The name of the Service must be found. */
export const rejections = ['no response', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Connects from a pod of a process to a Service. @returns what came of it. */
export const connect = async (
  at: Cluster,
  process: string,
  to: Cluster,
  service: string,
  port: number,
) => {
  const host = `${service}.${to.namespace}.svc.cluster.local`;
  const words = ['exec', `deployment/${process}`, '--', 'node', '--eval', script, host, `${port}`];
  const shown = `kubectl exec deployment/${process}: a connection to ${host}:${port}`;
  return (await at.run('kubectl', [...at.where, ...words], { shown })).trim();
};

/** In the pod. A dropped packet has no response, however long the pod waits. */
const script = `
  const [host, port] = process.argv.slice(1);
  const socket = require('node:net').connect({ host, port: Number(port), timeout: 5000 });
  const end = (outcome) => {
    console.log(outcome);
    process.exit();
  };
  socket.on('connect', () => end('connected'));
  socket.on('timeout', () => end('no response'));
  socket.on('error', ({ code }) => end(code));`;
