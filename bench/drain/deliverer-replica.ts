import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { walkIndexes } from '../../services/webhooks/src/config.ts';
import { startDeliverer } from '../../services/webhooks/src/deliverer/deliverer.ts';
import { parseSealingKey } from '../../services/webhooks/src/secrets/seal.ts';
import { openSigningKeys } from '../../services/webhooks/src/secrets/sign.ts';
import { localEgress } from '../../services/webhooks/test/egress/local-egress.ts';
import { sealingKey } from '../../services/webhooks/test/webhooks-service.ts';
import { serveRounds } from './replica.ts';

const silent = () => createTelemetry({ service: 'bench', write: () => {} });

await serveRounds(async ({ storeUrl, caFile }) => {
  const db = await openDatabase({
    url: storeUrl,
    poolMax: 8,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 5000,
    session: walkIndexes,
    telemetry: silent(),
  });
  const egress = localEgress({ caFile }, 3000);
  const ring = [parseSealingKey(sealingKey)];
  return () => {
    const deliverer = startDeliverer({
      db,
      egress,
      signingKeys: openSigningKeys(ring),
      telemetry: silent(),
      retryWaitsMs: [60_000, 60_000, 60_000, 60_000, 60_000],
      attemptTimeoutMs: 10_000,
      health: { brokenFailures: 100, brokenMinAgeMs: 1e9, brokenSilenceMs: 1e9 },
    });
    return () => deliverer.stop();
  };
});
