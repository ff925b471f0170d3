import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { listening, type Service } from '@pto/lifecycle';
import { Counter, type Telemetry } from '@pto/telemetry';
import { acceptedLogs } from './accepted-logs.ts';
import type { WitnessSettings } from './config.ts';
import { readKey } from './read-key.ts';
import { createWitnessServer } from './server.ts';
import { openWitness } from './witness.ts';

/** Starts a witness as a service. The port 0 takes a free port. */
export const startWitness = async (
  settings: WitnessSettings,
  telemetry: Telemetry,
): Promise<Service & { port: number; vkey: string }> => {
  const key = readKey(settings);
  const vkey = vkeyOfWitness(key);
  const logs = acceptedLogs(settings.logs);
  const witness = await openWitness({ key, logs, folder: settings.stateFolder });
  for (const [origin, note] of await witness.checkpoints())
    if (note === null) telemetry.log.warn({ origin }, 'no state: any first checkpoint is cosigned');
  const requests = new Counter({
    name: 'witness_requests_total',
    help: 'Submitted checkpoints by the status of the response',
    labelNames: ['status'],
    registers: [telemetry.metrics],
  });
  const server = createWitnessServer({
    witness,
    vkey,
    telemetry,
    responded: (status) => requests.inc({ status }),
  });
  const port = await listening(server, settings.port, settings.host);
  telemetry.log.info({ vkey, port, logs: [...logs.keys()] }, 'the witness listens');
  return {
    port,
    vkey,
    checks: {
      state: async () => {
        await witness.checkpoints();
      },
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
};
