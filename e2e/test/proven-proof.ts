/** Proofs of a running stack, and the verdict on them by the keys of all its logs. */
import { type ProofFile, verifyProof } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import type { LocalStack } from '../local-stack.ts';
import { partner } from '../partner.ts';

export const proofsOf = (stack: LocalStack) => ({
  /** Waits for a proof of at least `entries` entries that a checkpoint covers. */
  provenProof: (id: string, entries: number): Promise<ProofFile> =>
    until(
      async () => {
        const { body } = await partner(stack).get(`/orders/${id}/custody/proof`);
        return body.count >= entries && body.log && body.completeness ? body : undefined;
      },
      { what: `a proof of ${entries} entries` },
    ),
  verdictOn: async (file: ProofFile) => {
    const answer = await fetch(`${stack.file().gateways[0]}/custody/logs.json`);
    const { logs } = (await answer.json()) as { logs: { keys: { vkey: string }[] }[] };
    const trustedKeys = logs.flatMap(({ keys }) => keys);
    return verifyProof(JSON.stringify(file), { trustedKeys });
  },
});
