import type { CertificateInput, Picture } from '@pto/certificate';
import { openThread, organizationSlots } from '@pto/concurrency';

/** A PDF takes about 0.1 s of CPU time; that of the largest history some seconds. */
const renderMaxMs = 8000;
/** Maximum number of organizations whose certificates wait; each has one in the thread's queue. */
const organizationsMax = 256;
const heapMaxMb = 128;
/** Certificates with their pictures in memory: one is rendered, one is next. */
const slots = 2;

/** Renders certificates as PDF on a thread, so that no other request waits for the work. */
export interface PdfRenderer {
  /**
   * Renders one certificate. Organizations take turns: each has one certificate at a time in the
   * queue (decision 66).
   * @param readPictures called when the certificate's turn comes, because the pictures of all that
   *   wait would take too much memory.
   * @throws Failure DEADLINE_EXCEEDED if the signal is aborted while the certificate waits;
   *   SERVICE_UNAVAILABLE, INTERNAL
   */
  render(
    organizationId: string,
    signal: AbortSignal,
    input: CertificateInput,
    readPictures?: () => Promise<readonly Picture[]>,
  ): Promise<Uint8Array>;
  stop(): Promise<void>;
}

/** Opens a renderer, whose thread starts with the first certificate and ends without work. */
export const openPdfRenderer = (): PdfRenderer => {
  const thread = openThread<CertificateInput, Uint8Array>({
    program: 'certificate-thread',
    source: new URL('certificate-thread.ts', import.meta.url),
    workMaxMs: renderMaxMs,
    waitingMax: organizationsMax,
    heapMaxMb,
  });
  const inTurn = organizationSlots(1);
  const ofAll = organizationSlots(slots);
  return {
    render: (organizationId, signal, input, readPictures = async () => []) => {
      const rendered = async () => thread.run({ ...input, pictures: await readPictures() });
      const next = () => ofAll('', signal, rendered);
      return inTurn(organizationId, signal, next);
    },
    stop: () => thread.stop(),
  };
};
