import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { pngPicture } from '@pto/testing';
import { picturesOf, readPictures } from '../../src/certificates/pictures.ts';

type Parameters_ = Parameters<typeof readPictures>;

const order = { organizationId: 'o', orderId: 'i' };
const call = { deadline: Number.POSITIVE_INFINITY } as Parameters_[2];

const pictures = Array.from({ length: 9 }, (_, n) => pngPicture(n + 1));
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

const handover = (content: Uint8Array, more: object = {}) => ({
  internal_type: 'HANDOVER_RECORDED',
  payload: {
    artifact: { sha256: hashOf(content), media_type: 'image/png', size: content.length, ...more },
  },
});

/** Reads pictures from a service of orders that has these; the others were erased. */
const read = async (
  stored: readonly Uint8Array[],
  ...entries: Parameters<typeof picturesOf>[0]
) => {
  const asked: string[] = [];
  const orders = {
    getArtifact: async ({ sha256 }: { sha256: string }) => {
      asked.push(sha256);
      const content = stored.find((one) => hashOf(one) === sha256);
      if (!content) throw new Failure('NOT_FOUND', 'erased');
      return { content, mediaType: 'image/png' };
    },
  } as unknown as Parameters_[0];
  const found = await readPictures(orders, order, call, picturesOf(entries));
  return { asked, found: found.map(({ sha256 }) => sha256) };
};

test('the pictures of handovers are read, and no other file', async () => {
  const [first, second] = pictures as [Buffer, Buffer];
  const { asked, found } = await read(
    pictures,
    handover(first),
    { internal_type: 'CONDITION_RECORDED', payload: handover(second).payload },
    { internal_type: 'HANDOVER_RECORDED', payload: { artifact: null } },
    { internal_type: 'HANDOVER_RECORDED', payload: null },
    handover(second, { media_type: 'application/pdf' }),
    handover(second, { media_type: 'image/jpeg' }),
  );
  expect(found).toEqual([hashOf(first), hashOf(second)]);
  expect(asked).toEqual(found);
});

test('six pictures of at most 1 MiB are read', async () => {
  const { asked } = await read(
    pictures,
    handover(pictures[8]!, { size: 1024 * 1024 + 1 }),
    ...pictures.slice(0, 8).map((one) => handover(one, { size: 1024 * 1024 })),
  );
  expect(asked).toEqual(pictures.slice(0, 6).map(hashOf));
});

test('an erased picture and one with other bytes are left out', async () => {
  const [erased, other, good] = pictures as [Buffer, Buffer, Buffer];
  const { asked, found } = await read([other, good], handover(erased), handover(good));
  expect([asked.length, found]).toEqual([2, [hashOf(good)]]);
  const orders = { getArtifact: async () => ({ content: other }) } as unknown as Parameters_[0];
  expect(await readPictures(orders, order, call, picturesOf([handover(good)]))).toEqual([]);
});

test('a picture that cannot be read now is an error, so that bytes are those of the state', async () => {
  const orders = {
    getArtifact: async () => {
      throw new Failure('SERVICE_UNAVAILABLE', 'down');
    },
  } as unknown as Parameters_[0];
  await expect(
    readPictures(orders, order, call, picturesOf([handover(pictures[0]!)])),
  ).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
  });
});

test('all pictures of a certificate together have 2 s, or what is left of the request', async () => {
  const deadlines: number[] = [];
  const orders = {
    getArtifact: async (_: unknown, { deadline }: { deadline: number }) => {
      deadlines.push(deadline);
      return { content: pictures[0]! };
    },
  } as unknown as Parameters_[0];
  const wanted = picturesOf(pictures.slice(0, 2).map((one) => handover(one)));
  await readPictures(orders, order, call, wanted);
  expect(new Set(deadlines).size).toBe(1);
  expect(deadlines[0]! - performance.now()).toBeLessThanOrEqual(2000);
  await readPictures(orders, order, { ...call, deadline: 5 }, wanted);
  expect(deadlines.at(-1)).toBe(5);
});
