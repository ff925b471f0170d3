import { deflateSync } from 'node:zlib';
import { inspectArtifact } from '../../../src/index.ts';

export const inspect = (bytes: Uint8Array) => inspectArtifact(bytes, 'application/pdf');

/** Returns a PDF with these bodies of objects, numbered from 1. The catalog is the first. */
export const written = (...bodies: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...bodies.map((body, n) =>
      Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), latin1(body), Buffer.from('\nendobj\n')]),
    ),
    Buffer.from('trailer <</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'),
  ]);

export const catalog = '<</Type/Catalog/Pages 2 0 R>>';

/** Returns an object stream with one object, which has the number 9. */
export const objectStream = (text: string, entries = '/Filter/FlateDecode'): Buffer => {
  const objects = Buffer.from(`9 0 ${text}`, 'latin1');
  const content = entries.includes('FlateDecode') ? deflateSync(objects) : objects;
  return stream(content, `/Type/ObjStm/N 1/First 4${entries}`);
};

/** Returns a stream with its dictionary. */
export const stream = (content: string | Buffer, entries = ''): Buffer => {
  const bytes = latin1(content);
  const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\r\n`);
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
};

const latin1 = (text: string | Buffer): Buffer =>
  typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
