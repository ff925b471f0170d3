import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextPart, noBytes } from '../../src/http-server/request-order.ts';

const inHead = { bodyLeft: 0, headTail: noBytes };

describe('the parser gets', () => {
  test('one head at once, and the next one later', () => {
    const one = 'GET / HTTP/1.1\r\n\r\n';
    expect(nextPart(Buffer.from(one.repeat(3)), inHead, 100).end).toBe(one.length);
  });

  test('no byte behind a body of known length', () => {
    const bytes = Buffer.from('bodyGET / HTTP/1.1\r\n\r\n');
    expect(nextPart(bytes, { bodyLeft: 4, headTail: noBytes }, 100)).toMatchObject({
      end: 4,
      isBody: true,
    });
  });

  test('a body in parts of the stated size, and a chunked one in parts of 256 bytes', () => {
    const bytes = Buffer.from('\r\n\r\n'.repeat(10_000));
    const partOf = (bodyLeft: number) => nextPart(bytes, { bodyLeft, headTail: noBytes }, 8192).end;
    expect([partOf(100_000), partOf(Number.POSITIVE_INFINITY)]).toEqual([8192, 256]);
  });

  test('each head alone, however the bytes are split', () => {
    const heads = ['GET /a HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /bc HTTP/1.1\r\n\r\n'];
    const text = heads.join('').repeat(3);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const ends = [...new Set([...cuts, text.length])].toSorted((a, b) => a - b);
        let [headTail, from, parsed] = [noBytes as Buffer, 0, ''];
        for (const to of ends) {
          let bytes = Buffer.from(text.slice(from, to));
          from = to;
          while (bytes.length > 0) {
            const part = nextPart(bytes, { bodyLeft: 0, headTail }, 100);
            parsed += bytes.subarray(0, part.end).toString();
            // at most one head has ended in what the parser got since the last end of a head
            const open = parsed.slice(parsed.lastIndexOf('\r\n\r\n', parsed.length - 5) + 4);
            expect(open.split('\r\n\r\n').length).toBeLessThanOrEqual(2);
            headTail = part.headTail;
            bytes = bytes.subarray(part.end);
          }
        }
        expect(parsed).toBe(text);
      }),
    );
  });
});
