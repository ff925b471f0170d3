import { handoverArtifactTypes, readingsTypes } from '@pto/proto/vocabulary';
import type { Backends } from '../backends.ts';
import { created, type PartnerResponse } from '../http/respond.ts';
import { artifactPath, condition, conditionCreate, readingsOf } from '../resources/evidence.ts';
import { orderPath } from '../resources/orders.ts';
import { throwInBody } from '../validation/throw-in-body.ts';
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
      'Until the order is CLOSED or CANCELLED. The readings are checked and summarized, and the summary becomes a custody entry `CONDITION_RECORDED` (`order.updated`) with the SHA-256 of the readings. If a reading is outside of the limits of the order, an entry `TEMPERATURE_EXCURSION` (`order.incident_reported`) follows. Send an `Idempotency-Key` to retry safely.',
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
      return created(await orders.recordCondition(request, call).catch(throwInBody));
    },
  }),
  route({
    name: 'getArtifact',
    method: 'GET',
    path: '/orders/:order_id/artifacts/:sha256',
    scope: 'orders:read',
    schemas: { path: artifactPath },
    lane: 'list',
    file: [...handoverArtifactTypes, ...readingsTypes],
    summary: 'Download an artifact',
    description:
      'The picture, signature or document of a handover, or the readings of a condition, until the `kept_until` of the custody entry or an erasure. The custody entry keeps the hash.',
    handle: async ({ organizationId, path, read }) => {
      const { order_id: orderId, sha256 } = path;
      const artifact = await orders.getArtifact({ organizationId, orderId, sha256 }, read);
      return download(artifact, sha256);
    },
  }),
];

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};

/** Returns a file that a browser saves and never shows as a page of this origin. */
const download = (
  { content, mediaType }: { readonly content: Uint8Array; readonly mediaType: string },
  sha256: string,
): PartnerResponse<never> => ({
  headers: {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${sha256}.${extensions[mediaType]}"`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  },
  pieces: [content],
});
