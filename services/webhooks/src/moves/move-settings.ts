import { tagOf } from '@pto/moves';
import type { WebhooksSettings } from '../config.ts';

/**
 * Returns the settings that the webhooks services of two cells must share when an organization moves,
 * as tags: the target decrypts the source's secrets, and its payloads have the source's links.
 */
export const moveSettings = (settings: WebhooksSettings) => ({
  WEBHOOKS_SECRET_KEYS: settings.secretKeys.keys.map(({ id, key }) =>
    tagOf(Buffer.concat([Buffer.from(`${id}:`), key.export()])),
  ),
  PUBLIC_BASE_URL: [tagOf(settings.publicBaseUrl)],
  ENVIRONMENT: [tagOf(settings.environment)],
});
