import type { Backends } from '../backends.ts';
import { created, type PartnerResponse } from '../http/respond.ts';
import { artifactPath, condition, conditionCreate, readingsOf } from '../resources/evidence.ts';
import { orderPath } from '../resources/orders.ts';
import { throwFaultsInBody } from '../validation/faults-in-body.ts';
import { route } from './route.ts';

/** The operations on the evidence of an order's transport (decision 71). */
export const evidenceRoutes = ({ orders }: Pick<Backends, 'orders'>) => [
  route({
    name: 'recordCondition',
    method: 'POST',
    path: '/orders/:order_id/conditions',
    scope: 'orders:write',
    idempotent: true,
    schemas: { path: orderPath, body: conditionCreate },
    // 5 MiB of readings, with the escapes of JSON
    large: { member: 'readings', bodyMaxBytes: 8 * 1024 * 1024 },
    success: 201,
    response: condition,
    rejections: ['ILLEGAL_TRANSITION'],
    summary: 'Record temperature readings',
    description:
      'Until the order is CLOSED or CANCELLED. The readings are checked and summarized, and the summary becomes a custody entry `CONDITION_RECORDED` (`order.updated`) with the SHA-256 of the readings. If a reading within the custody, from the start of the pickup to the delivery, is outside of the limits of the order, an entry `TEMPERATURE_EXCURSION` (`order.incident_reported`) follows. Send an `Idempotency-Key` to retry safely.',
    handle: async ({ organizationId, path, body, idempotency, call }) => {
      const request = {
        organizationId,
        orderId: path.order_id,
        readings: readingsOf(body),
        ...(idempotency && {
          idempotency: {
            key: idempotency.idempotencyKey,
            // one key may be used for several orders
            route: `POST /orders/${path.order_id}/conditions`,
            bodySha256: idempotency.bodySha256,
          },
        }),
      };
      return created(await orders.recordCondition(request, call).catch(throwFaultsInBody));
    },
  }),
  route({
    name: 'getArtifact',
    method: 'GET',
    path: '/orders/:order_id/artifacts/:sha256',
    scope: 'orders:read',
    schemas: { path: artifactPath },
    lane: 'list',
    file: [...new Set(Object.values(served).map(([type]) => type))],
    summary: 'Download an artifact',
    description:
      'The picture, signature or document of a handover, or the readings of a condition, until the `kept_until` of the custody entry or an erasure. The custody entry keeps the hash. CSV is `application/octet-stream`, byte for byte: cells of ignored columns may be formulas, so do not open it in a spreadsheet.',
    handle: async ({ organizationId, path, read }) => {
      const { order_id: orderId, sha256 } = path;
      const artifact = await orders.getArtifact({ organizationId, orderId, sha256 }, read);
      return download(artifact, sha256);
    },
  }),
];

/**
 * The media type and the ending of a file's name, by its media type. CSV has bytes of its sender, of
 * which ignored columns may hold formulas. Its hash is evidence, so that no cell is changed: neither
 * type nor name leads to a spreadsheet, which would compute them.
 */
const served: Readonly<Record<string, readonly [type: string, ending: string]>> = {
  'image/png': ['image/png', 'png'],
  'image/jpeg': ['image/jpeg', 'jpg'],
  'application/pdf': ['application/pdf', 'pdf'],
  'text/csv': ['application/octet-stream', 'csv.txt'],
  'application/x-ndjson': ['application/x-ndjson', 'ndjson'],
};

/** Returns a file that a browser saves and never shows as a page of this origin. */
const download = (
  { content, mediaType }: { readonly content: Uint8Array; readonly mediaType: string },
  sha256: string,
): PartnerResponse<never> => {
  const [type, ending] = served[mediaType] ?? ['application/octet-stream', 'bin'];
  return {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${sha256}.${ending}"`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    pieces: [content],
  };
};
