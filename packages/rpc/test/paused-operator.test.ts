import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessService } from '@pto/proto/access/v1/access';
import { makeAuthority } from '@pto/testing';
import { operatorClient } from '../src/index.ts';

/** A service of another thread that closes a connection 50 ms after its response. */
const service = `
  const { workerData, parentPort } = require('node:worker_threads');
  const server = require('node:https').createServer(workerData, (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/proto' }).end();
      setTimeout(() => request.socket.destroy(), 50);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const pausedMs = 500;

const authority = makeAuthority();
let worker: Worker;
let port: number;

beforeAll(async () => {
  const workerData = {
    cert: readFileSync(authority.certFile),
    key: readFileSync(authority.keyFile),
  };
  worker = new Worker(service, { eval: true, workerData });
  [port] = await once(worker, 'message');
});
afterAll(async () => {
  await worker.terminate();
  authority.forget();
});

test('a process that was suspended is answered, although its connection was closed meanwhile', async () => {
  const client = operatorClient(AccessService, {
    url: `https://127.0.0.1:${port}/access`,
    caFile: authority.caFile,
    credential: async () => 'opt_of_a_test',
  });
  await client.listOrganizations({});
  // nothing of this process runs: it learns of the closed connection after its next call began
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pausedMs);
  await expect(client.listOrganizations({})).resolves.toMatchObject({ organizations: [] });
});
