import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { orderBody, partner } from '../../../e2e/partner.ts';
import { openServer } from '../postgres/server.ts';
import type { Partners } from '../stage/partners.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const deadlineMs = 120_000;
const rejections = 20;

/** A server of PostgreSQL on a small disk, with all databases. */
export const openPostgres = async (stage: Stage) => {
  const disk = mountSmallDisk(stage, 'server-all', 400);
  return { disk, server: await openServer(stage, 'all') };
};

/**
 * The disk fills up while partners place orders; the server is started again where it has ended, as
 * its supervisor does it.
 */
export const fillPostgres = async (
  stage: Stage,
  stack: LocalStack,
  { disk, server }: { disk: SmallDisk; server: Awaited<ReturnType<typeof openServer>> },
  partners: Partners,
): Promise<void> => {
  const { get, post } = partner(stack);
  const place = (name: string) => post('/orders', orderBody(), { 'idempotency-key': name });
  const [known] = partners.placed;
  const begun = performance.now();
  disk.fill();
  const rejected = new Map<string, number>();
  let reads = 0;
  for (let n = 0; [...rejected.values()].reduce((sum, count) => sum + count, 0) < rejections; n++) {
    assert(performance.now() - begun < deadlineMs, 'creations are rejected while the disk is full');
    const { status, headers, text } = await place(`full-${n}`);
    if (status === 201) {
      disk.fill(); // a segment of the log was recycled
      continue;
    }
    assert.equal(status, 503, text);
    assert(Number(headers.get('retry-after')) > 0, 'a 503 has Retry-After');
    const { code } = JSON.parse(text).error;
    rejected.set(code, (rejected.get(code) ?? 0) + 1);
    const read = await get(`/orders/${known!.id}`);
    assert([200, 503].includes(read.status), `a read gets ${read.status}`);
    if (read.status === 200) reads++;
  }
  const codes = [...rejected].map(([code, count]) => `${count} with ${code}`).join(', ');
  stage.note(`  creations: 503 with Retry-After, ${codes}; ${reads} of ${rejections} reads: 200`);
  const ended = server.hasEnded();
  stage.note(`  the server ${ended ? 'has ended' : 'goes on'}`);
  disk.free();
  const freed = performance.now();
  if (server.hasEnded()) await server.startAgain();
  await until(async () => (await place('after')).status === 201, { deadlineMs, what: 'a 201' });
  stage.note(`  the first 201 came ${Math.round(performance.now() - freed)} ms after the space`);
};
