import { main, mainByRole } from '@pto/lifecycle';
import { settings } from './config.ts';
import { settings as moverSettings } from './mover/config.ts';
import { startMover } from './mover/service.ts';
import { startOperators } from './service.ts';

await mainByRole('OPERATORS_ROLE', {
  operators: () => main('operators', settings, startOperators),
  mover: () => main('mover', moverSettings, startMover),
});
