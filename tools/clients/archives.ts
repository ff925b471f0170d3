/** Archives of given files. The same files give the same bytes, on every machine. */
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';

/** Content by path; paths have `/` between their parts. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Returns a zip. Its times are 1980, the first year of the format. */
export const zipOf = (files: Files): Uint8Array =>
  zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(1980, 0, 1) });

/** Returns a tar.gz of regular files (POSIX ustar). @throws Error for a path that is too long. */
export const tarGzOf = (files: Files): Uint8Array => {
  const blocks = [...files].flatMap(([path, bytes]) => [header(path, bytes.length), padded(bytes)]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
};

const blockBytes = 512;

const padded = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))]);

const header = (path: string, size: number): Uint8Array => {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar`);
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number) =>
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at);
  block.write(path, 0);
  octal(0o644, 100, 7);
  octal(0, 108, 7); // user
  octal(0, 116, 7); // group
  octal(size, 124, 11);
  octal(0, 136, 11); // time
  block.write('        ', 148); // the checksum is that with blanks in its place
  block.write('0ustar\u000000', 156);
  const sum = block.reduce((before, byte) => before + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
};
