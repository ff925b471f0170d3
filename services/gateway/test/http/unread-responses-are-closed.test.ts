import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { gatewayTimings } from '../../src/config.ts';
import { waitsForReceiver } from '../../src/routes/webhooks.ts';
import { partnerOf, startGatewayService } from '../gateway-service.ts';

const stillMs = 1500;

test('a receiver has less time than a connection without traffic', () => {
  expect(gatewayTimings.stillMs).toBeGreaterThan(waitsForReceiver.deadlineMs);
});

test('the connection of a client that does not read its response is closed', async () => {
  const under = await startGatewayService({
    redisUrl: '',
    timings: { stillMs },
    behind: {
      locations: {
        // thirty pages of 1.5 MB: more than sockets hold, so that they must be read to be sent
        listLocations: async ({ afterId }) => ({
          locations: Array.from({ length: 50 }, () => ({ label: 'L'.repeat(30_000) })),
          nextId: afterId.length < 30 ? `${afterId}x` : '',
        }),
      },
    },
  });
  const { key } = await partnerOf(under);
  const socket = connect(under.port, '127.0.0.1').on('error', () => {});
  socket.pause();
  try {
    const begun = Date.now();
    const target = '/api/partner/v1/locations';
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const given = (line: string) => line.includes('"route":"/locations","status":499');
    await until(() => under.logged.some(given), { deadlineMs: 40_000, what: 'word of the end' });
    expect(Date.now() - begun).toBeGreaterThan(stillMs);
  } finally {
    socket.destroy();
    await under.stop();
  }
}, 60_000);
