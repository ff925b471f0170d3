import { describe } from '@jest/globals';
import { readConfig } from '@pto/config';
import { stores } from '@pto/testing';
import { busSettings } from '../../src/index.ts';
import { keepsTheBusPromises } from '../conformance.ts';

const { kafka } = stores();
const where = kafka ? describe : describe.skip;

where('Kafka', () => {
  keepsTheBusPromises(
    async () => readConfig(busSettings, { KAFKA_BROKERS: kafka!.join(',') }).settings,
  );
});
