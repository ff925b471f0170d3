import { migrateGiven, settings as migrationSettings } from '@pto/database/migrate-once';
import { once } from '@pto/lifecycle';
import { migrations } from '../migrations/index.ts';
import { signingSettings } from './config.ts';
import { registerKeysAsOwner } from './log/keys.ts';
import { openSigner } from './notes/open-signer.ts';

const settings = { ...migrationSettings, ...signingSettings };

await once('custody-migrate', settings, async (given, telemetry) => {
  await migrateGiven(given, migrations, telemetry);
  await registerKeysAsOwner(given.ownerUrl, openSigner(given).vkeys);
});
