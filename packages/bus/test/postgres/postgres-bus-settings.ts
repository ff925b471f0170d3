import { readConfig } from '@pto/config';
import { testDatabase } from '@pto/testing';
import { type BusSettings, busSettings } from '../../src/index.ts';

/** A bus on a database of its own. */
export const postgresBusSettings = async (): Promise<BusSettings> => {
  const database = await testDatabase('bus');
  return readConfig(busSettings, {
    BUS_DATABASE_URL: database.serviceUrl,
    BUS_MIGRATION_DATABASE_URL: database.ownerUrl,
  }).settings;
};
