import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startWitness } from './service.ts';

await main('witness', settings, startWitness);
