import { main, mainByRole } from '@pto/lifecycle';
import { auditorSettings } from './auditor/config.ts';
import { startAuditor } from './auditor/service.ts';
import { settings } from './config.ts';
import { startCustody } from './service.ts';

await mainByRole('CUSTODY_ROLE', {
  ledger: () => main('custody', settings, startCustody),
  auditor: () => main('auditor', auditorSettings, startAuditor),
});
