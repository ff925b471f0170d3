import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startOperators } from './service.ts';

await main('operators', settings, startOperators);
