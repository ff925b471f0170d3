import { asSuperuser, type DatabaseName } from '../../../e2e/as-superuser.ts';
import type { AlertScene } from './scene.ts';

/** Runs statements as a superuser, whom no trigger stops. */
export const asIntruder = ({ stage, stack }: AlertScene, database: DatabaseName, text: string) =>
  asSuperuser(stack, database, async (client) => {
    stage.note(`    psql ${database}: ${text}`);
    await client.query('set session_replication_role = replica');
    await client.query(text);
  });

/** Takes a right on a table from the role of a service. @returns what gives it back. */
export const rightLost =
  (database: DatabaseName, right: 'select' | 'insert' | 'update', table: string) =>
  async (scene: AlertScene) => {
    const role = `${database}_service`;
    await asIntruder(scene, database, `revoke ${right} on ${table} from ${role}`);
    return () => asIntruder(scene, database, `grant ${right} on ${table} to ${role}`);
  };
