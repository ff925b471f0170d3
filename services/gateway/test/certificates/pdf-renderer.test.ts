import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { certificatePdf } from '@pto/certificate';
import { pngPicture } from '@pto/testing';
import { artifactHash } from '../../../../packages/certificate/test/samples/a-history.ts';
import { provenInput } from '../../../../packages/certificate/test/samples/an-input.ts';
import { openPdfRenderer, type PdfRenderer } from '../../src/certificates/pdf-renderer.ts';

let renderer: PdfRenderer;
beforeEach(() => {
  renderer = openPdfRenderer();
});
afterEach(() => renderer.stop());

const { signal } = new AbortController();

test('the bytes are those of the package, and the event loop takes its turns meanwhile', async () => {
  await renderer.render('a', signal, provenInput);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const rendered: Uint8Array[] = [];
  for (let n = 0; n < 3; n++) rendered.push(await renderer.render('a', signal, provenInput));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(30);
  const direct = Buffer.from(await certificatePdf(provenInput));
  for (const bytes of rendered) expect(direct.equals(bytes)).toBe(true);
});

test('pictures are read when the turn comes, of at most two certificates at once', async () => {
  const begun: string[] = [];
  const renders = ['a', 'b', 'c', 'd', 'e'].map((id) =>
    renderer.render(id, signal, provenInput, async () => {
      begun.push(id);
      return [];
    }),
  );
  await Promise.race(renders);
  // one is rendered, one is next, and a third may have taken the place of the first
  expect(begun.length).toBeLessThanOrEqual(3);
  await Promise.all(renders);
  expect(begun).toHaveLength(5);
});

test('a certificate without pictures does not wait for the pictures of others', async () => {
  let isOver = () => {};
  const stored = new Promise<readonly []>((resolve) => {
    isOver = () => resolve([]);
  });
  const slow = ['a', 'b', 'c'].map((id) => renderer.render(id, signal, provenInput, () => stored));
  expect((await renderer.render('d', signal, provenInput)).length).toBeGreaterThan(10_000);
  isOver();
  await Promise.all(slow);
});

test('beyond 256 organizations that wait, a certificate is a 503', async () => {
  const gone = new AbortController();
  const never = () =>
    new Promise<never>((_, reject) => gone.signal.addEventListener('abort', reject));
  const waiting = Array.from({ length: 258 }, (_, n) =>
    renderer.render(`${n}`, gone.signal, provenInput, never).catch(() => {}),
  );
  const more = renderer.render('more', signal, provenInput, never);
  await expect(more).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  gone.abort();
  await Promise.all(waiting);
});

test('a picture is in the certificate', async () => {
  const pictures = [{ sha256: artifactHash, content: pngPicture(3) }];
  const bytes = await renderer.render('a', signal, provenInput, async () => pictures);
  expect(Buffer.from(bytes).includes('/Subtype /Image')).toBe(true);
});

test('an organization with many certificates does not delay another by more than one', async () => {
  const done: string[] = [];
  const render = (id: string) =>
    renderer.render(id, signal, provenInput).then(() => void done.push(id));
  await Promise.all([...Array.from({ length: 6 }, () => render('many')), render('one')]);
  expect(done.indexOf('one')).toBeLessThanOrEqual(1);
});

test('a certificate that cannot be rendered is an error, and the next is rendered', async () => {
  const wrong = renderer.render('a', signal, { ...provenInput, order: {} });
  await expect(wrong).rejects.toMatchObject({ kind: 'INTERNAL' });
  expect((await renderer.render('a', signal, provenInput)).length).toBeGreaterThan(10_000);
});
