import { walkIndexes } from '../../services/webhooks/src/config.ts';
import { startDeliverer } from '../../services/webhooks/src/deliverer/deliverer.ts';
import { openSigningKeys } from '../../services/webhooks/src/secrets/sign.ts';
import { localEgress } from '../../services/webhooks/test/egress/local-egress.ts';
import { sealingRing } from '../../services/webhooks/test/webhooks-service.ts';
import { openSilently, silent } from '../measuring/silent-database.ts';
import { serveRounds } from './replica.ts';

await serveRounds(async ({ storeUrl, caFile }) => {
  const db = await openSilently(storeUrl, { session: walkIndexes });
  const egress = localEgress({ caFile }, 3000);
  return () => {
    const deliverer = startDeliverer({
      db,
      egress,
      signingKeys: openSigningKeys(sealingRing),
      telemetry: silent(),
      retryWaitsMs: [60_000, 60_000, 60_000, 60_000, 60_000],
      attemptTimeoutMs: 10_000,
      health: { brokenFailures: 100, brokenMinAgeMs: 1e9, brokenSilenceMs: 1e9 },
      rehearses: false,
    });
    return () => deliverer.stop();
  };
});
