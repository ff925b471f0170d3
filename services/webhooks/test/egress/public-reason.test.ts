import { expect, test } from '@jest/globals';
import type { EgressFault } from '../../src/egress/egress-error.ts';
import { publicFault, publicReason } from '../../src/egress/public-reason.ts';

test.each<[EgressFault, string]>([
  ['egress_refused', 'unreachable'],
  ['dns', 'unreachable'],
  ['proxy', 'unreachable'],
  ['connect_timeout', 'unreachable'],
  ['connection_refused', 'unreachable'],
  ['connection_failed', 'unreachable'],
  ['tls', 'tls'],
  ['timeout', 'timeout'],
  ['connection_lost', 'connection_lost'],
  ['protocol', 'protocol'],
  ['aborted', 'not_sent'],
])('a partner reads %s as %s', (fault, reason) => {
  expect(publicReason(fault)).toBe(reason);
  expect(publicFault(fault)).toBe(reason);
});

test('a partner reads an unsigned attempt as not_sent, and a lost one as lost', () => {
  expect(publicReason('unsigned')).toBe('not_sent');
  expect(publicReason('lost')).toBe('lost');
});
