import { main, mainByRole } from '@pto/lifecycle';
import { settings } from './config.ts';
import { operatorGatewaySettings } from './operators/config.ts';
import { startOperatorGateway } from './operators/service.ts';
import { startGateway } from './service.ts';

await mainByRole('GATEWAY_ROLE', {
  partners: () => main('gateway', settings, startGateway),
  operators: () => main('operator-gateway', operatorGatewaySettings, startOperatorGateway),
});
