import { expect, test } from '@jest/globals';
import { processNames } from '@pto/proto/callers';
import { LedgerService, LogService } from '@pto/proto/custody/v1/custody';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
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

const startPickup = OrderCommandService.method.startPickup;
const driver = { driverId: 'a driver', carrierId: 'a carrier', key: 'a key' };

test.each(processNames.filter((name) => name !== 'courier'))(
  'takes no driver from the process %s without an operator',
  (process) => {
    let caller: object = {};
    try {
      caller = authorize(startPickup, { process, until }, undefined, JSON.stringify(driver));
    } catch (thrown) {
      expect(thrown).toMatchObject({ kind: 'CALLER_NOT_ALLOWED' });
    }
    expect(caller).not.toHaveProperty('driver');
  },
);

test('ignores the driver of a process that may call, and is neither courier nor operators', () => {
  const sent = JSON.stringify(driver);
  expect(authorize(getCheckpoint, { process: 'gateway', until }, 'Mallory', sent)).toEqual({
    process: 'gateway',
  });
});

test('takes the driver whose phone the courier of the sandbox plays', () => {
  const sent = JSON.stringify(driver);
  expect(authorize(startPickup, { process: 'courier', until }, 'Mallory', sent)).toEqual({
    ...{ process: 'courier', driver },
  });
});
