/** Services are killed at random moments; `LIVES=200 WAVES=20 LOST_MIN=20` runs longer. */
import { afterAll, beforeAll } from '@jest/globals';
import { testCommands } from '../../killed-services/commands.ts';
import { testLives } from '../../killed-services/lives.ts';
import { testLostResponses } from '../../killed-services/lost-responses.ts';
import { type Mesh, startMesh } from '../../mesh.ts';

let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh({
    args: ['--no-demo', '--replicas', 'webhooks=2'],
    env: {
      GATEWAY_READS_PER_MINUTE: '100000',
      GATEWAY_WRITES_PER_MINUTE: '100000',
      GATEWAY_REQUESTS_IN_FLIGHT: '1000',
      // receivers of a busy test respond late at times: tried again soon, not after a minute
      WEBHOOKS_ATTEMPT_TIMEOUT: '4s',
      WEBHOOKS_RETRY_WAITS: '1s,2s,4s,8s,16s',
    },
  });
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

const stack = () => mesh;
testLives(stack);
testCommands(stack);
testLostResponses(stack);
