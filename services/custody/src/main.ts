import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startCustody } from './service.ts';

await main('custody', settings, startCustody);
