import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startGateway } from './service.ts';

await main('gateway', settings, startGateway);
