import { createTelemetry } from '@pto/telemetry';
import { type Bus, type BusSettings, openBus } from '../src/index.ts';

export type TestBusSettings = BusSettings;

/** A bus as a service opens it, logging nothing. */
export const openTestBus = (settings: TestBusSettings): Promise<Bus> =>
  openBus(settings, createTelemetry({ service: 'test', write: () => {} }));
