import { vkeyOf } from '@pto/custody-verifier';
import { migrateGiven, settings as migrationSettings } from '@pto/database/migrate-once';
import { once } from '@pto/lifecycle';
import { migrations } from '../migrations/index.ts';
import { publicKeySettings } from './config.ts';
import { registerKeysAsOwner } from './log/keys.ts';

const settings = { ...migrationSettings, ...publicKeySettings };

// This process is the owner of the database, so it gets public keys alone: an attacker who controls
// it can neither sign a checkpoint nor read a signing key.
await once('custody-migrate', settings, async (given, telemetry) => {
  await migrateGiven(given, migrations, telemetry);
  const vkeys = given.publicKeys.map((key) => vkeyOf(given.logOrigin, key));
  if (vkeys.length > 0) await registerKeysAsOwner(given.ownerUrl, vkeys);
});
