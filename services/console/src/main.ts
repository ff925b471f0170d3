import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startConsole } from './service.ts';

await main('console', settings, startConsole);
