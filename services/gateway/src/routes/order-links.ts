import { Failure } from '@pto/errors';
import {
  entryJson,
  linkedOrderJson,
  linksEndAt,
  type orderJson,
  proofJson,
} from '@pto/representation';
import type { Backends } from '../backends.ts';
import { json, jsonBytes, nothing } from '../http/respond.ts';
import {
  newOrderLink,
  orderLinkCreate,
  orderLinkPath,
  orderLinks,
} from '../resources/order-links.ts';
import { orderPath } from '../resources/orders.ts';
import { throwFaultsInBody } from '../validation/faults-in-body.ts';
import {
  type CertificateOptions,
  certificatePdf,
  certificateQuery,
  inputOf,
  pdfType,
} from './certificate.ts';
import type { FindCircle } from './find-circle.ts';
import { historyOf, type OrderRequest } from './history.ts';
import { type PartnerRequest, route } from './route.ts';

/** What the operations on an order's links have in common. A session of the portal creates none. */
const ofOrder = {
  scope: 'orders:read',
  keysOnly: true,
  schemas: { path: orderPath },
  path: '/orders/:order_id/links',
} as const;

/** What the operations of the page have in common; the document does not have them. */
const ofLink = {
  scope: null,
  linksOnly: true,
  lane: 'rows',
  rejections: ['INSUFFICIENT_SCOPE', 'NOT_FOUND'],
} as const;

/**
 * The links for one order (decision 86), and what their pages read with the link's secret as the key;
 * additions to contract 4. A link shows less than `orders:read` does, and changes nothing.
 */
export const orderLinkRoutes = (
  { orders, custody, orderLinks: links }: Pick<Backends, 'orders' | 'custody' | 'orderLinks'>,
  certificates: CertificateOptions,
  findCircle: FindCircle,
) => {
  const read = async (request: OrderRequest) => {
    const { organizationId, path, read } = request;
    const { history, disclosed } = await historyOf(orders, request, async (order) =>
      order.atLeastSequence === 0 ? { entries: [] } : custody.listEvents(order, read),
    );
    const { body } = await orders.getOrder({ organizationId, id: path.order_id }, read);
    const order: ReturnType<typeof orderJson> = JSON.parse(Buffer.from(body).toString());
    return { order, entries: history.entries.map((entry) => entryJson(entry, disclosed)) };
  };
  /** Reads the order of the request's link. @throws Failure NOT_FOUND after its end */
  const readLinked = async (request: PartnerRequest<unknown, unknown, unknown>) => {
    const { orderId, side } = request.credentials.link!;
    const { expiresAt } = request.credentials;
    const linked = { ...request, path: { order_id: orderId } };
    const { order, entries } = await read(linked).catch(endedIfNotFound);
    if (hasPassed(linksEndAt(order, entries))) throw hasEnded();
    const { organizationId, read: reading } = request;
    const { code = null } = await orders
      .getHandoverCode({ organizationId, id: orderId, side }, reading)
      .catch(endedIfNotFound);
    const circle = await findCircle(orderId);
    const shown = { side, expiresAt, now: Date.now(), code, circle };
    return { ...linked, order, content: linkedOrderJson(order, entries, shown) };
  };
  /** @throws Failure NOT_FOUND for an order of another organization */
  const requireOrder = ({ organizationId, path, read }: OrderRequest) =>
    orders.getSequence({ organizationId, id: path.order_id }, read);
  const end = async (
    request: OrderRequest & Pick<PartnerRequest<unknown, unknown, unknown>, 'call'>,
    id: string,
  ) => {
    const { organizationId, path, call } = request;
    await requireOrder(request);
    await links.endOrderLinks({ organizationId, orderId: path.order_id, id }, call);
    return nothing();
  };
  return [
    route({
      ...ofOrder,
      name: 'createOrderLink',
      method: 'POST',
      schemas: { ...ofOrder.schemas, body: orderLinkCreate },
      success: 201,
      response: newOrderLink,
      summary: 'Create a link that shows one order',
      description:
        'For a ward, a laboratory or a coordinator without a key. The page shows where the order is, who has it, when it is expected, the driver within 1 km on the way to that side, the kinds of open incidents, the window, temperatures, and place and access note of one side; at the end it has the certificate without names of persons. Several people may open it, often. It ends at `expires_at`, 24 hours after the order’s end, with an erasure of the order, and within 5 seconds after its end by you or that of your key. If your key is limited to client addresses, so is the link. At most 50 links of an order.',
      handle: async (request) => {
        const { organizationId, credentials, path, body, call } = request;
        const { order, entries } = await read(request);
        const orderEnd = linksEndAt(order, entries);
        if (hasPassed(orderEnd))
          throw new Failure(
            'ILLEGAL_TRANSITION',
            'The order ended more than 24 hours ago, or was erased.',
          );
        const { link, url } = await links
          .createOrderLink(
            {
              ...{ organizationId, orderId: path.order_id, side: body.side },
              ...{ lastsSeconds: body.expires_in, keyId: credentials.keyId },
            },
            call,
          )
          .catch(throwFaultsInBody);
        const { id, side, createdAt, expiresAt } = link!;
        const endsAt = earlier(expiresAt, orderEnd);
        return json({ id, side, created_at: createdAt, expires_at: endsAt, url });
      },
      rejections: ['ILLEGAL_TRANSITION'],
    }),
    route({
      ...ofOrder,
      name: 'listOrderLinks',
      method: 'GET',
      lane: 'rows',
      response: orderLinks,
      summary: "List an order's links",
      description: 'Those that have not ended, oldest first, with how often each was opened.',
      handle: async (request) => {
        const { organizationId, path, read: reading } = request;
        const { order, entries } = await read(request);
        const orderEnd = linksEndAt(order, entries);
        if (hasPassed(orderEnd)) return json([]);
        const wanted = { organizationId, orderId: path.order_id };
        const { links: all } = await links.listOrderLinks(wanted, reading);
        return json(
          all.map(({ id, side, createdAt, expiresAt, views, lastViewedAt }) => ({
            ...{ id, side, created_at: createdAt, views, last_viewed_at: lastViewedAt || null },
            expires_at: earlier(expiresAt, orderEnd),
          })),
        );
      },
    }),
    route({
      ...ofOrder,
      name: 'endOrderLinks',
      method: 'DELETE',
      success: 204,
      summary: "End all of an order's links",
      description: 'Takes effect within 5 seconds.',
      handle: (request) => end(request, ''),
    }),
    route({
      ...ofOrder,
      name: 'endOrderLink',
      method: 'DELETE',
      path: '/orders/:order_id/links/:link_id',
      schemas: { path: orderLinkPath },
      success: 204,
      summary: 'End a link',
      description: 'Takes effect within 5 seconds. A link that has ended stays so.',
      handle: (request) => end(request, request.path.link_id),
    }),
    route({
      ...ofLink,
      name: 'openOrderLink',
      method: 'POST',
      path: '/order-link/views',
      summary: 'Open a link for one order',
      handle: async (request) => {
        const { content, credentials, call } = await readLinked(request);
        await links.countOrderLinkView({ id: credentials.keyId }, call);
        return jsonBytes(Buffer.from(JSON.stringify(content)));
      },
    }),
    route({
      ...ofLink,
      name: 'readOrderLink',
      method: 'GET',
      path: '/order-link',
      summary: 'Read what a link for one order shows',
      handle: async (request) =>
        jsonBytes(Buffer.from(JSON.stringify((await readLinked(request)).content))),
    }),
    route({
      ...ofLink,
      name: 'getOrderLinkCertificate',
      method: 'GET',
      path: '/order-link/certificate',
      schemas: { query: certificateQuery },
      lane: 'list',
      file: [pdfType],
      summary: "Get the certificate of a link's order",
      handle: async (request) => {
        const { order, content, path, read, organizationId } = await readLinked(request);
        if (!content.has_certificate)
          throw new Failure('NOT_FOUND', 'There is no certificate yet.', {
            details: { resource: 'certificate' },
          });
        const { history } = await historyOf(orders, { organizationId, path, read }, (one) =>
          custody.getProof({ ...one, whole: true }, read),
        );
        // the values of personal fields are not disclosed, and it has no pictures
        const proof = proofJson(path.order_id, history, new Map());
        const shown = { ...order, external_id: null, cancel_reason: null };
        const input = await inputOf(request.query.lang, shown, proof, certificates);
        return certificatePdf(request, input, certificates.pdfs);
      },
    }),
  ];
};

/** @param at null: never. */
const hasPassed = (at: string | null): boolean => at !== null && Date.parse(at) <= Date.now();

/** Returns the end of a link, or that of its order if it is earlier. @param orderEnd null: none. */
const earlier = (expiresAt: string, orderEnd: string | null): string =>
  orderEnd !== null && orderEnd < expiresAt ? orderEnd : expiresAt;

/** Says nothing about an order, or whether there is one. */
const hasEnded = (): Failure =>
  new Failure('NOT_FOUND', 'This link has ended.', { details: { resource: 'link' } });

const endedIfNotFound = (error: unknown): never => {
  throw error instanceof Failure && error.kind === 'NOT_FOUND' ? hasEnded() : error;
};
