import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of the gateway. */
export const gatewayMutants: readonly Mutant[] = [
  {
    name: 'slot-of-closed-connection',
    mechanism: 'A client that has disconnected takes no slot of its organization',
    file: 'services/gateway/src/http/limit-concurrency.ts',
    original: 'release?.(); // a slot that was granted while the connection closed',
    broken: '',
    tests: ['concurrency-per-organization'],
  },
  {
    name: 'bytes-one-at-a-time',
    mechanism: 'Beyond its bytes an organization runs one request at a time',
    file: 'services/gateway/src/http/limit-bytes.ts',
    original: 'inFlightMax: 1,',
    broken: 'inFlightMax: 100,',
    tests: ['bytes-per-organization'],
  },
  {
    name: 'body-of-closed-connection',
    mechanism: 'A request whose connection has closed before its body is read releases its slot',
    file: 'services/gateway/src/http/body/read-body.ts',
    original: 'if (request.destroyed) throw clientGone();',
    broken: '',
    tests: ['http/read-body'],
  },
  {
    name: 'rejection-at-once',
    mechanism: 'A rejected request is answered after a hold, so that rejections cost little',
    file: 'services/gateway/src/http/sending/responder.ts',
    original: 'if (status === 429) await hold(response, response.locals.exchange.begun);',
    broken: '',
    tests: ['rejections-are-held'],
  },
  {
    name: 'hold-while-draining',
    mechanism: 'A gateway that stops holds no rejection',
    file: 'services/gateway/src/http/sending/responder.ts',
    original: 'deps.draining() ? 0 :',
    broken: '',
    tests: ['rejections-are-held'],
  },
  {
    name: 'hold-of-closed-connection',
    mechanism: 'The hold of a rejection ends with its connection',
    file: 'services/gateway/src/http/sending/responder.ts',
    original: 'clearTimeout(timer);',
    broken: '',
    tests: ['rejections-are-held'],
  },
];
