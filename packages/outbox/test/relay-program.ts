/** Says `ready` and relays until it is killed. */
import { openBus } from '@pto/bus';
import { startRelay } from '../src/index.ts';
import { openSendingDatabase, silentTelemetry } from './sending-service.ts';

const { url, busSettings } = JSON.parse(process.env.RELAY!);
const telemetry = silentTelemetry();
const db = await openSendingDatabase(url, telemetry);
startRelay({
  db,
  bus: await openBus(busSettings, telemetry),
  telemetry,
  readersOf: () => ['reader'],
});
process.stdout.write('ready\n');
