import { main } from '@pto/lifecycle';
import { settings } from './config.ts';
import { startWebhooks } from './service.ts';

await main('webhooks', settings, startWebhooks);
