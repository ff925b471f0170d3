import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'rpc-callers',
    mechanism: 'An RPC is rejected for a caller that its row does not list',
    file: 'packages/rpc/src/call.ts',
    original: 'if (!mayCall(method.parent.typeName, method.name, caller))',
    broken: 'if (!mayCall(method.parent.typeName, method.name, caller) && !peer)',
    tests: ['rpc/test/callers'],
  },
  {
    name: 'bundle-bad-result',
    mechanism: 'A result that is no message rejects its call, and ends no process',
    file: 'packages/rpc/src/grpc/bundles.ts',
    original: 'waiting?.reject(toFailure(error)); // the bytes are no message',
    broken: 'throw error;',
    tests: ['bundles/lost-bundles'],
  },
  {
    name: 'silent-replicas-rest',
    mechanism: 'A replica that neither works nor ends keeps no second call until its deadline',
    file: 'packages/rpc/src/connect/round-robin.ts',
    original: 'if (until > performance.now()) continue;',
    broken: '',
    tests: ['rpc/test/only-calls', 'rpc/test/round-robin'],
  },
  {
    name: 'little-time-is-no-silence',
    mechanism: 'A call with little time does not take a replica out of the turns',
    file: 'packages/rpc/src/connect/connect-client.ts',
    original: 'performance.now() - begun > patienceMs ||',
    broken: 'true ||',
    tests: ['rpc/test/only-calls'],
  },
  {
    name: 'party-of-the-courier-alone',
    mechanism: 'No process but the operators service and the courier names the driver who calls',
    file: 'packages/rpc/src/call.ts',
    original: "((isForOperator || peer.process === 'courier') &&",
    broken: "((isForOperator || peer.process !== 'operators') &&",
    tests: ['rpc/test/authorize'],
  },
];
