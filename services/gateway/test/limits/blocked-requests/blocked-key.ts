import { describe } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf } from '../../gateway-service.ts';

/** Only the shared window in Redis stores a budget as blocked. */
export const withRedis = stores().redis === null ? describe.skip : describe;

type Line = Readonly<Record<string, unknown>>;

/** Returns the log lines for requests that were answered ahead of the app, of one key. */
export const rejectionLines = ({ logged }: GatewayUnderTest, keyId: string): Line[] =>
  logged
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.msg === 'requests rejected' && line.keyId === keyId);

/** Returns how many requests of the key the log reports as answered ahead of the app. */
export const reported = (under: GatewayUnderTest, keyId: string): number =>
  rejectionLines(under, keyId).reduce((sum, line) => sum + Number(line.requests), 0);

/** Waits until the log reports at least so many requests as answered ahead of the app. */
export const untilReported = (under: GatewayUnderTest, keyId: string, requests: number) =>
  until(() => reported(under, keyId) >= requests, { what: `${requests} requests in the log` });

/** Spends one read and one write, and lets the app reject at least one more of each. */
const useUp = async (base: string, key: string): Promise<void> => {
  const untilRejected = async (method: string, path: string, body?: object) => {
    while ((await call(method, base + path, { key, ...(body && { body }) })).status !== 429);
  };
  await Promise.all([untilRejected('GET', '/ping'), untilRejected('POST', '/orders', {})]);
};

/** Creates a key whose reads and writes are used up; the first replica knows it. */
export const blockedKey = async (
  under: GatewayUnderTest,
  more: { scopes?: string[]; expiresInSeconds?: bigint; allowedCidrs?: string[] } = {},
) => {
  const { organizationId } = await partnerOf(under);
  const issued = await under.operator.issueKey({
    organizationId,
    scopes: ['orders:read', 'orders:write'],
    readsPerMinute: 1,
    writesPerMinute: 1,
    ...more,
  });
  await useUp(under.baseUrls[0]!, issued.secret);
  return { organizationId, keyId: issued.key!.id, key: issued.secret };
};
