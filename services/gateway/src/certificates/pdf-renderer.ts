import type { CertificateInput, Picture } from '@pto/certificate';
import { createLimit, type NotStarted, openThread, organizationSlots } from '@pto/concurrency';
import { Failure } from '@pto/errors';

/** A PDF takes about 0.1 s of CPU time; that of the largest history some seconds. */
const renderMaxMs = 8000;
/** Maximum number of organizations whose certificates wait; each has one in the queue. */
const organizationsMax = 256;
/** Longer than the operation has: its signal ends the wait before. */
const waitMs = 30_000;
const heapMaxMb = 128;
/** Certificates with their pictures in memory: one is rendered, one is next. Others do not wait for them. */
const withPicturesMax = 2;

/** Renders certificates as PDF on a thread, so that no other request waits for the work. */
export interface PdfRenderer {
  /**
   * Renders one certificate. Organizations take turns: each has one certificate at a time in the
   * queue (decision 66).
   * @param readPictures called when the certificate's turn comes, because the pictures of all that
   *   wait would take too much memory; absent if the certificate has none.
   * @throws Failure DEADLINE_EXCEEDED if the signal is aborted while the certificate waits;
   *   SERVICE_UNAVAILABLE if those of 256 organizations wait; INTERNAL
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
  const places = createLimit({
    perOwner: withPicturesMax,
    waitingMax: organizationsMax,
    waitMs,
  });
  return {
    render: (organizationId, signal, input, readPictures) =>
      inTurn(organizationId, signal, async () => {
        if (!readPictures) return thread.run(input);
        const render = async () => thread.run({ ...input, pictures: await readPictures() });
        return places.run('', signal, render, { rejected: noPlace });
      }),
    stop: () => thread.stop(),
  };
};

const noPlace = (reason: NotStarted): Failure =>
  reason === 'full'
    ? new Failure('SERVICE_UNAVAILABLE', 'Too many requests wait for this.', {
        retryAfterSeconds: 1,
      })
    : new Failure('DEADLINE_EXCEEDED', 'This took too long.', { retryAfterSeconds: 1 });
