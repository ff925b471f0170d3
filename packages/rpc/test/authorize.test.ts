import { expect, test } from '@jest/globals';
import { LedgerService, LogService } from '@pto/proto/custody/v1/custody';
import { authorize } from '../src/call.ts';

const until = Date.now() + 60_000;
const getCheckpoint = LogService.method.getCheckpoint;
const verifyLog = LedgerService.method.verifyLog;

test('ignores the name of an operator from a process that is not the operators service', () => {
  expect(authorize(getCheckpoint, { process: 'gateway', until }, 'Mallory')).toEqual({
    process: 'gateway',
  });
});

test('returns the operator in whose name the operators service calls', () => {
  const peer = { process: 'operators', until } as const;
  expect(authorize(verifyLog, peer, encodeURIComponent('Jörg Müller'))).toEqual({
    process: 'operators',
    operator: 'Jörg Müller',
  });
});
