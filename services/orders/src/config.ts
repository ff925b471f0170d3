import { artifactSettings } from '@pto/artifacts';
import { busSettings } from '@pto/bus';
import { base64Keys, durationMs, oneOf, port, type Settings, url } from '@pto/config';
import { databaseSettings, replicaSetting } from '@pto/database';
import { messageKeys } from '@pto/message-authentication';
import { rpcServerSettings } from '@pto/rpc';

export const settings = {
  ...databaseSettings,
  ...busSettings,
  ...rpcServerSettings,
  ...artifactSettings,
  /** A replica that reads lists, if it has all that was committed. */
  replicaUrl: replicaSetting,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Keys that sign order events for custody and verify custody events (decision 55). */
  custodyKeys: messageKeys('ORDERS_CUSTODY_KEYS'),
  /** Keys that authenticate cursors: the first key signs, all verify. */
  cursorKeys: base64Keys('ORDERS_CURSOR_KEY'),
  /** Time for which a response to an Idempotency-Key is stored; idempotency.ts applies it. */
  idempotencyKeepMs: durationMs('ORDERS_IDEMPOTENCY_KEEP', { fallback: 24 * 3_600_000 }),
  /** Time after an order's last event at which its personal data is erased; 0: never. */
  personalRetentionMs: durationMs('CUSTODY_PERSONAL_RETENTION', { fallback: 0 }),
  /** Time for which files of handovers and readings are retained. */
  artifactRetentionMs: durationMs('ARTIFACTS_RETENTION', { fallback: 5 * 365 * 86_400_000 }),
  geocoder: oneOf('ORDERS_GEOCODER', ['gazetteer', 'photon', 'nominatim'], {
    fallback: 'gazetteer',
  }),
  geocoderUrl: url('ORDERS_GEOCODER_URL', ['http', 'https'], { fallback: '' }),
  /** Routing engine of expected times; empty: they are estimated. */
  router: oneOf('ORDERS_ROUTER', ['', 'osrm', 'valhalla'], { fallback: '' }),
  routerUrl: url('ORDERS_ROUTER_URL', ['http', 'https'], { fallback: '' }),
  routerTimeoutMs: durationMs('ORDERS_ROUTER_TIMEOUT', { fallback: 2000 }),
  geocoderTimeoutMs: durationMs('ORDERS_GEOCODER_TIMEOUT', { fallback: 2000 }),
};

export type OrdersSettings = Settings<typeof settings>;
