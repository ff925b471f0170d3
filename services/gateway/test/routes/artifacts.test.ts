import { expect, test } from '@jest/globals';
import { handoverArtifactTypes, readingsTypes } from '@pto/proto/vocabulary';
import type { Backends } from '../../src/backends.ts';
import { evidenceRoutes } from '../../src/routes/evidence.ts';

const content = Buffer.from('time,value,note\n2026-01-15T08:00:00Z,4,"=HYPERLINK(""x"")"\n');

/** Returns the response to a request for an artifact of this media type. */
const download = async (mediaType: string) => {
  const orders = { getArtifact: async () => ({ content, mediaType }) };
  const routes = evidenceRoutes({ orders } as unknown as Backends);
  const { handle } = routes.find(({ name }) => name === 'getArtifact')!;
  const request = { organizationId: 'o', path: { order_id: 'i', sha256: 'ab12' } };
  return handle(request as unknown as Parameters<typeof handle>[0]);
};

test('CSV with a formula is served byte for byte, and not as a file of a spreadsheet', async () => {
  const { headers, pieces } = await download('text/csv');
  expect(headers).toMatchObject({
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment; filename="ab12.csv.txt"',
    'X-Content-Type-Options': 'nosniff',
  });
  expect(Buffer.concat([...(pieces as Uint8Array[])])).toEqual(content);
});

test.each([...handoverArtifactTypes, ...readingsTypes].filter((type) => type !== 'text/csv'))(
  'a file of the type %s keeps its type',
  async (type) => {
    const { headers } = await download(type);
    expect(headers).toMatchObject({ 'Content-Type': type });
    expect(JSON.stringify(headers)).not.toContain('.bin');
  },
);
