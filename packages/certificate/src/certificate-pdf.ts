import { setImmediate } from 'node:timers/promises';
import { certificateDocument } from './certificate-document.ts';
import type { CertificateInput } from './input.ts';

/**
 * Returns the certificate of an order's custody as PDF with embedded fonts. The same input gives the
 * same bytes. Other work of the process goes on between two blocks.
 * @throws Error if order, proof and verdict are not about the same history
 */
export const certificatePdf = async (input: CertificateInput): Promise<Uint8Array> => {
  const content = certificateDocument(input);
  // the first certificate loads the library, not the start of the process
  const { openPdf } = await import('./pdf/open-pdf.ts');
  const pdf = openPdf(content);
  for (const [n, block] of content.blocks.entries()) {
    pdf.draw(block, content.blocks[n + 1]);
    await setImmediate();
  }
  return pdf.end();
};
