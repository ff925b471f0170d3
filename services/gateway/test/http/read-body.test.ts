import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { readBody } from '../../src/http/body/read-body.ts';

test('a body is not waited for when its connection closed before', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requested = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  const [request, response] = await requested;
  request.on('error', () => {});
  const closed = new Promise((resolve) => request.once('close', resolve));
  client.destroy();
  await closed; // like the time that the budgets take
  await expect(readBody(request as Request, response as Response)).rejects.toThrow(
    'the partner disconnected',
  );
  server.close();
}, 5000);
