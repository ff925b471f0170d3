import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startCourier } from './service.ts';

await main('courier', settings, startCourier);
