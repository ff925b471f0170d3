import { below, pick, type Random } from '../random.ts';

/** JSON texts to stand where a value stood. */
const nastyValues = [
  ...['null', 'true', '0', '-0', '1e999', '-1e999', '12345678901234567890', '1.0000000000000001'],
  ...['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"'],
  ...['[]', '{}', '[[[[[[]]]]]]', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":1}}'],
  `"${'x'.repeat(3000)}"`,
  `"${'😀'.repeat(2001)}"`,
  `"e${'\u0301'.repeat(499)}"`,
  '"2026-02-30T00:00:00Z"',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:60+00:00"',
  '"{3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11}"',
  '"https://[::1]:1/x"',
  '"https://127.0.0.1:1/\\u0000"',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `{${Array.from({ length: 10_000 }, (_, n) => `"${n}":${n}`).join(',')}}`,
];

export const spoilJson = (random: Random, body: Buffer): Buffer => {
  const text = body.toString();
  const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|\b(?:true|false|null|-?\d+)\b/g)];
  if (values.length === 0) return Buffer.from(pick(random, nastyValues));
  const { 0: value, index } = pick(random, values);
  const [before, after] = [text.slice(0, index), text.slice(index + value.length)];
  switch (below(random, 4)) {
    case 0:
      return Buffer.from(
        `${before}${value},"twice":1,"twice":${pick(random, nastyValues)}${after}`,
      );
    case 1:
      return Buffer.concat([
        Buffer.from(before),
        Buffer.from([0x22, 0xff, 0xc0, 0x80, 0x22]), // not UTF-8
        Buffer.from(after),
      ]);
    default:
      return Buffer.from(`${before}${pick(random, nastyValues)}${after}`);
  }
};

export const spoilBytes = (random: Random, bytes: Buffer): Buffer => {
  const spoilt = Buffer.from(bytes);
  for (let n = 1 + below(random, 4); n > 0 && spoilt.length > 0; n--)
    spoilt[below(random, spoilt.length)] = below(random, 256);
  const at = below(random, spoilt.length + 1);
  switch (below(random, 5)) {
    case 0:
      return spoilt.subarray(0, at);
    case 1:
      return Buffer.concat([spoilt.subarray(0, at), spoilt]);
    case 2:
      return Buffer.concat([spoilt.subarray(0, at), Buffer.alloc(40, 0x41), spoilt.subarray(at)]);
    default:
      return spoilt;
  }
};
