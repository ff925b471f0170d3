import { createTelemetry } from '@pto/telemetry';
import { type Bus, type BusSettings, openBus } from '../src/index.ts';

export type TestBusSettings = BusSettings;

/** A bus as a service opens it; it logs nothing unless told where. */
export const openTestBus = (
  settings: TestBusSettings,
  telemetry = createTelemetry({ service: 'test', write: () => {} }),
): Promise<Bus> => openBus(settings, telemetry);
