import { readFileSync } from 'node:fs';
import { constants, createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { tlsOf } from '@pto/testing';
import { grpcClient } from '../src/index.ts';

/** A server that resets each stream, as one that dies or a proxy before it does. */
let server: Http2SecureServer;
beforeAll(async () => {
  const { tlsCertFile, tlsKeyFile } = tlsOf('orders');
  server = createSecureServer({ cert: readFileSync(tlsCertFile), key: readFileSync(tlsKeyFile) });
  server.on('stream', (stream) => {
    stream.on('error', () => {}); // the reset itself
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

test('a call whose stream is reset is SERVICE_UNAVAILABLE and retryable', async () => {
  const { port } = server.address() as AddressInfo;
  const client = grpcClient(DeadLetterService, {
    address: `ipv4:127.0.0.1:${port}`,
    server: 'orders',
    tls: tlsOf('operators'),
  });
  try {
    await expect(client.replayDeadLetter({ id: '1' })).rejects.toMatchObject({
      kind: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
  } finally {
    client.close();
  }
});
