import { verifyProof } from '@pto/custody-verifier';
import { disclosedValues, orderJson, proofJson } from '@pto/representation';
import { useContext } from 'react';
import { clients } from '../../calls/clients.ts';
import { failureOf } from '../../calls/failure.ts';
import { Me } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useCommand } from '../../parts/use-command.ts';

/** Reads an order and its proof file. Values that were erased before the second read are absent. */
const read = async (orderId: string) => {
  const { proof } = await clients.ledger.exportProof({ orderId });
  const { order, disclosures } = await clients.orders.showOrder({ orderId });
  return { order: order!, file: proofJson(orderId, proof!, disclosedValues(disclosures)) };
};

const saveProof = async (orderId: string) => {
  const { file } = await read(orderId);
  saveFile(`proof-${orderId}.json`, 'application/json', JSON.stringify(file));
};

/**
 * The certificate is made in this browser, with the QR code of the page /verify as the partners' has;
 * its code is loaded when it is needed.
 */
const saveCertificate = async (orderId: string, publicBaseUrl: string) => {
  const { certificateHtml } = await import('@pto/certificate/html');
  const { order, file } = await read(orderId);
  const html = certificateHtml({
    language: navigator.language.startsWith('de') ? 'de' : 'en',
    order: orderJson(order),
    proof: file,
    verdict: await verifyProof(JSON.stringify(file), { trustedKeys: file.keys }),
    verifyUrl: publicBaseUrl === '' ? null : new URL('/verify', publicBaseUrl).href,
  });
  saveFile(`certificate-${orderId}.html`, 'text/html', html);
};

/** Saves the proof file of an order, which `custody-verify` reads, and its certificate (HTML). */
export const Downloads = ({ orderId }: { orderId: string }) => {
  const { error, isBusy, run } = useCommand(() => {});
  const publicBaseUrl = useContext(Me)?.publicBaseUrl ?? '';
  const files = [
    ['Download the proof', saveProof],
    ['Download the certificate', saveCertificate],
  ] as const;
  return (
    <>
      {files.map(([name, save]) => (
        <QuietButton
          key={name}
          disabled={isBusy}
          onClick={() => run(() => save(orderId, publicBaseUrl))}
        >
          {name}
        </QuietButton>
      ))}
      {error !== undefined && (
        <span className="error" role="alert">
          {failureOf(error).message}
        </span>
      )}
    </>
  );
};
