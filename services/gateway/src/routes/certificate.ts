import { type CertificateInput, certificateHtml, type Language } from '@pto/certificate';
import { verifyProof } from '@pto/custody-verifier';
import { proofJson } from '@pto/representation';
import { timeLeftMs } from '@pto/rpc';
import type { Backends } from '../backends.ts';
import type { PdfRenderer } from '../certificates/pdf-renderer.ts';
import { picturesOf, readPictures } from '../certificates/pictures.ts';
import { orderPath } from '../resources/orders.ts';
import { described, optional, parameters } from '../validation/schema.ts';
import { choice } from '../validation/texts.ts';
import { historyOf } from './history.ts';
import { type PartnerRequest, route } from './route.ts';

export const pdfType = 'application/pdf';
const htmlType = 'text/html';

export const certificateQuery = parameters({
  lang: described(optional(choice(['en', 'de']), 'en'), 'Language of the certificate.'),
});

/** What makes certificates. */
export interface CertificateOptions {
  /** URL of the page /verify. */
  readonly verifyUrl: string;
  readonly pdfs: Pick<PdfRenderer, 'render'>;
}

/** The certificate of an order's custody (decision 73). */
export const certificateRoutes = (
  { orders, custody }: Pick<Backends, 'orders' | 'custody'>,
  by: CertificateOptions,
) => [
  route({
    name: 'getOrderCustodyCertificate',
    method: 'GET',
    path: '/orders/:order_id/custody/certificate',
    scope: 'orders:read',
    schemas: { path: orderPath, query: certificateQuery },
    lane: 'list',
    file: [pdfType, htmlType],
    summary: 'Get a certificate of custody',
    description:
      'A document to file: the verdict, deviations, what it does not prove, parties, goods, seals, handovers, temperatures, incidents, hashes, and a QR code to `/verify`. PDF/A-3a with the proof file attached and pictures of handovers up to 1 MiB, or HTML if `Accept` prefers `text/html`. The same state gives the same bytes. The certificate is for people; evidence is the proof file.',
    handle: async (request) => {
      const { organizationId, path, query, accepts, read } = request;
      const { history, disclosed } = await historyOf(orders, request, (order) =>
        custody.getProof({ ...order, whole: true }, read),
      );
      const { body } = await orders.getOrder({ organizationId, id: path.order_id }, read);
      const proof = proofJson(path.order_id, history, disclosed);
      const input = await inputOf(query.lang, JSON.parse(Buffer.from(body).toString()), proof, by);
      if (accepts([pdfType, htmlType]) !== htmlType) {
        const order = { organizationId, orderId: path.order_id };
        const wanted = picturesOf(proof.entries);
        const pictures = () => readPictures(orders, order, read, wanted);
        return certificatePdf(request, input, by.pdfs, wanted.length > 0 ? pictures : undefined);
      }
      return {
        headers: {
          'Content-Type': `${htmlType}; charset=utf-8`,
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'X-Content-Type-Options': 'nosniff',
          Vary: 'Accept',
        },
        pieces: [Buffer.from(certificateHtml(input))],
      };
    },
  }),
];

/** Returns what a certificate is made of: the verdict on a proof by the keys that it names itself. */
export const inputOf = async (
  language: Language,
  order: object,
  proof: ReturnType<typeof proofJson>,
  { verifyUrl }: Pick<CertificateOptions, 'verifyUrl'>,
): Promise<CertificateInput> => ({
  ...{ language, order, proof, verifyUrl },
  verdict: await verifyProof(JSON.stringify(proof), { trustedKeys: proof.keys }),
});

/** Returns a certificate as PDF, which another thread makes within the request's deadline. */
export const certificatePdf = async (
  {
    organizationId,
    read,
  }: Pick<PartnerRequest<unknown, unknown, unknown>, 'organizationId' | 'read'>,
  input: CertificateInput,
  pdfs: CertificateOptions['pdfs'],
  pictures?: Parameters<PdfRenderer['render']>[3],
) => {
  const outOfTime = AbortSignal.timeout(timeLeftMs(read.deadline));
  const signal = AbortSignal.any([read.signal, outOfTime]);
  const pdf = await pdfs.render(organizationId, signal, input, pictures);
  return { headers: { 'Content-Type': pdfType, Vary: 'Accept' }, pieces: [pdf] };
};
