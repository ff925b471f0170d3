import { certificateHtml } from '@pto/certificate';
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
import { route } from './route.ts';

const [pdfType, htmlType] = ['application/pdf', 'text/html'] as const;

const certificateQuery = parameters({
  lang: described(optional(choice(['en', 'de']), 'en'), 'Language of the certificate.'),
});

/**
 * The certificate of an order's custody (decision 73).
 * @param by.verifyUrl URL of the page /verify.
 */
export const certificateRoutes = (
  { orders, custody }: Pick<Backends, 'orders' | 'custody'>,
  by: { readonly verifyUrl: string; readonly pdfs: Pick<PdfRenderer, 'render'> },
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
      const input = {
        language: query.lang,
        order: JSON.parse(Buffer.from(body).toString()),
        proof,
        verdict: await verifyProof(JSON.stringify(proof), { trustedKeys: proof.keys }),
        verifyUrl: by.verifyUrl,
      };
      if (accepts([pdfType, htmlType]) !== htmlType) {
        const outOfTime = AbortSignal.timeout(timeLeftMs(read.deadline));
        const signal = AbortSignal.any([read.signal, outOfTime]);
        const order = { organizationId, orderId: path.order_id };
        const wanted = picturesOf(proof.entries);
        const pictures = () => readPictures(orders, order, read, wanted);
        const given = wanted.length > 0 ? pictures : undefined;
        const pdf = await by.pdfs.render(organizationId, signal, input, given);
        return { headers: { 'Content-Type': pdfType, Vary: 'Accept' }, pieces: [pdf] };
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
