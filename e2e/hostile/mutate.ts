/** Raw HTTP requests of a hostile partner: valid ones, spoilt in every way, from a seed. */
import { gzipSync } from 'node:zlib';
import { below, pick, type Random } from '../random.ts';
import { methods, nastyHeaders, nastyTargets } from './nasty-parts.ts';
import { chunked, type RawRequest, whole, write } from './raw-request.ts';
import { spoilBytes, spoilJson } from './spoil.ts';

/** One request, spoilt. */
export const mutate = (random: Random, request: RawRequest): Buffer => {
  const { target, headers, body } = request;
  switch (below(random, 12)) {
    case 0:
      return spoilBytes(random, whole(request));
    case 1:
      return whole({ ...request, method: pick(random, methods) });
    case 2:
      return whole({ ...request, target: pick(random, nastyTargets)(target) });
    case 3:
      return whole({ ...request, headers: [...headers, pick(random, nastyHeaders)] });
    case 4:
      return whole({ ...request, headers: headers.filter(() => random() < 0.7) });
    case 5:
      return chunked(random, request);
    case 6:
      return whole({ ...request, body: spoilBytes(random, body) });
    case 7:
      return whole({
        ...request,
        body: pick(random, [
          Buffer.from(`\ufeff${body}`),
          Buffer.from(body.toString(), 'utf16le'),
          gzipSync(body),
          gzipSync(Buffer.alloc(1_000_000)),
          Buffer.concat([body, body]),
          Buffer.alloc(300_000, 0x20),
        ]),
      });
    case 8:
      return write(request, pick(random, ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', '']));
    default:
      return whole({ ...request, body: spoilJson(random, body) });
  }
};
