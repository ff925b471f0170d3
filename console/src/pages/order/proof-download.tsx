import { disclosedValues, proofJson } from '@pto/representation';
import { clients } from '../../calls/clients.ts';
import { failureOf } from '../../calls/failure.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useCommand } from '../../parts/use-command.ts';

/** Saves the proof file of an order, which `custody-verify` reads, as the partner gets it. */
export const ProofDownload = ({ orderId }: { orderId: string }) => {
  const { error, isBusy, run } = useCommand(() => {});
  const save = async () => {
    const { proof } = await clients.ledger.exportProof({ orderId });
    // values that were erased before this read are absent, as the proof file permits
    const { disclosures } = await clients.orders.showOrder({ orderId });
    const file = proofJson(orderId, proof!, disclosedValues(disclosures));
    saveFile(`proof-${orderId}.json`, 'application/json', JSON.stringify(file));
  };
  return (
    <>
      <button type="button" className="quiet" disabled={isBusy} onClick={() => run(save)}>
        Download the proof
      </button>
      {error !== undefined && (
        <span className="error" role="alert">
          {failureOf(error).message}
        </span>
      )}
    </>
  );
};
