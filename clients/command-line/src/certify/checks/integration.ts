/** Checks with orders of the sandbox, which its courier moves (decisions 64 and 65). */
import { verifyProof } from '../../../../typescript/src/index.ts';
import { type Check, Unmet } from '../check.ts';
import { coveredProof, tamperedProof } from '../proofs.ts';
import { judge } from '../verify-command.ts';
import { followWalk } from '../walk.ts';

export const integrationChecks: readonly Check[] = [
  {
    name: 'order',
    does: 'Creates an order that the sandbox moves to CLOSED, forwards its events from the feed, expects 2xx for each, and compares them with the custody history and the proof.',
    fix: 'If a forward failed, look at the log of the receiver; otherwise give the report to the operator.',
    section: 'guides/events#what-you-can-rely-on',
    run: async (trial, seen) => {
      const { id, hashes } = await followWalk(trial, seen);
      const history = await trial.client.orders.events(id, { signal: trial.signal });
      if (history.map(({ event_hash }) => event_hash).join() !== hashes.join())
        throw new Unmet('the events of the feed are not those of the custody history');
      const judged = await verifyProof(await coveredProof(trial, id));
      if (judged.verdict === 'invalid') throw new Unmet(`the proof is invalid: ${judged.reason}`);
      if (judged.head !== hashes.at(-1)) throw new Unmet('the proof ends with another entry');
      seen.facts.push(`${hashes.length} events without a gap`, `the proof is ${judged.verdict}`);
    },
  },
  {
    name: 'tampered-proof',
    does: 'Creates an order whose proof the sandbox changes, and expects that the proof is invalid.',
    fix: 'Give the report to the operator: the sandbox has not changed the proof.',
    section: 'guides/sandbox#moving-an-order',
    run: async (trial, seen) => {
      const judged = await verifyProof(await tamperedProof(trial, seen));
      if (judged.verdict !== 'invalid') throw new Unmet(`the proof is ${judged.verdict}`);
      seen.facts.push(`the proof is invalid at ${judged.at}: ${judged.reason}`);
    },
  },
  {
    name: 'proof-verifier',
    does: 'Runs the command of --verify-command with the files of a genuine and of a changed proof, and expects exit code 0 for the genuine one and another for the changed one.',
    fix: 'Let the verifier exit with 0 for a proven file alone, and give it the keys of the sandbox.',
    section: 'guides/custody#verify-a-proof-offline',
    missing: ({ verifyCommand }) =>
      verifyCommand === null ? 'Give --verify-command, the command of your verifier.' : null,
    run: async (trial, seen) => {
      seen.orders.push(trial.order.id);
      const genuine = await judge(trial, await coveredProof(trial, trial.order.id));
      const tampered = await judge(trial, await tamperedProof(trial, seen));
      for (const [name, { code, lastLine }] of Object.entries({ genuine, changed: tampered }))
        seen.facts.push(`${name}: exit code ${code}${lastLine && `: ${lastLine}`}`);
      if (genuine.code !== 0) throw new Unmet('the verifier rejects a genuine proof');
      if (tampered.code === 0) throw new Unmet('the verifier accepts a changed proof');
    },
  },
];
