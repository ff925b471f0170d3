/** Connections between pods, which the network policies of both ends allow or not. */
import assert from 'node:assert/strict';
import type { Cluster } from './cluster.ts';

/** A process of a namespace, and a Service of one. */
export interface Connection {
  readonly from: readonly [on: Cluster, process: string];
  readonly to: readonly [on: Cluster, service: string, port: number];
}

/** What a network does that drops or rejects packets. The name of the Service must be found. */
const rejections = ['no response', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

/** @throws Error unless each of the connections is accepted. */
export const requireAccepted = async (connections: readonly Connection[]): Promise<void> => {
  for (const one of connections) assert.equal(await outcomeOf(one), 'connected', nameOf(one));
};

/** @throws Error unless the network rejects each of the connections. */
export const requireRejected = async (connections: readonly Connection[]): Promise<void> => {
  for (const one of connections) {
    const outcome = await outcomeOf(one);
    assert.ok(rejections.includes(outcome), `${nameOf(one)}: ${outcome}`);
  }
};

const nameOf = ({ from: [at, process], to: [on, service, port] }: Connection): string =>
  `${at.namespace}/${process} to ${on.namespace}/${service}:${port}`;

const outcomeOf = async ({ from: [at, process], to: [on, service, port] }: Connection) => {
  const host = `${service}.${on.namespace}.svc.cluster.local`;
  const words = ['exec', `deployment/${process}`, '--', 'node', '--eval', script];
  const shown = `kubectl exec deployment/${process}: a connection to ${host}:${port}`;
  const all = [...at.where, ...words, host, `${port}`];
  return (await at.run('kubectl', all, { shown })).trim();
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
