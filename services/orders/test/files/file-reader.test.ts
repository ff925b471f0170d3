import { afterAll, expect, test } from '@jest/globals';
import { pngPicture } from '@pto/testing';
import { readReadings } from '../../src/conditions/read-readings.ts';
import { summarize } from '../../src/conditions/summarize.ts';
import { openFileReader } from '../../src/files/file-reader.ts';

const reader = openFileReader();
afterAll(() => reader.stop());

const start = Date.parse('2026-01-01T00:00:00Z');
const line = (n: number) => `${new Date(start + n * 1000).toISOString()},${(n % 100) / 10}\n`;
const most = Buffer.from(
  `time,value\n${Array.from({ length: 100_000 }, (_, n) => line(n)).join('')}`,
);
const limits = { min: 2, max: 8 };
const custody = { from: null, to: null };

test('the largest file is summarized as before, and the event loop takes its turns', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const readings = {
    content: most,
    mediaType: 'text/csv',
    unit: 'celsius',
    limits,
    custody,
  } as const;
  const summary = await reader.summarize(readings);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(30);
  expect(summary).toEqual(summarize(readReadings(most, 'text/csv'), 'celsius', limits, custody));
});

test('a rejection names the line, and the next file is read', async () => {
  const content = Buffer.from('time,value\n2026-01-15T08:00:00Z,NaN\n');
  const readings = { content, mediaType: 'text/csv', unit: 'celsius', limits, custody } as const;
  await expect(reader.summarize(readings)).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: { detail: [{ loc: ['readings'], msg: expect.stringContaining('line 2') }] },
  });
  const picture = { content: pngPicture(), mediaType: 'image/png' };
  expect(await reader.inspect(picture)).toMatchObject({ mediaType: 'image/png' });
});
