import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startOrders } from './service.ts';

await main('orders', settings, startOrders);
