import type { Observation } from '../observation.ts';
import { chainsAgreeWithOrders } from './chains.ts';
import { historiesAreLinearizable } from './histories.ts';
import { ordersExistOnce } from './orders-exist-once.ts';
import { pollsMissNothing } from './polls.ts';
import { noProcessGrew } from './processes.ts';
import type { Invariant, Violation } from './violation.ts';
import { walksAreComplete } from './walks.ts';
import { webhooksAreComplete } from './webhooks.ts';

/** Every invariant by its name in the report. */
export const invariants: Readonly<Record<string, Invariant>> = {
  'orders exist once': ordersExistOnce,
  'histories are linearizable': historiesAreLinearizable,
  'chains agree with orders': chainsAgreeWithOrders,
  'webhooks are complete': webhooksAreComplete,
  'polls miss nothing': pollsMissNothing,
  'list walks are complete': walksAreComplete,
  'no process grew': noProcessGrew,
  'the ledger is valid': ({ ledgerFaults }) => ledgerFaults,
  'no message is parked': ({ deadLetters }) => deadLetters,
  'responses are documented': ({ unexpected }) => unexpected,
  'the system converges': ({ notConverged }) => notConverged,
};

/** @returns all contradictions between the observation and the invariants. */
export const check = (seen: Observation): Violation[] =>
  Object.entries(invariants).flatMap(([invariant, holds]) =>
    holds(seen).map((detail) => ({ invariant, detail })),
  );
