import { type Organization, OrganizationSchema } from '@pto/proto/access/v1/access';
import { Command } from 'commander';
import { collect } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { members, print } from '../output.ts';
import { moveCommands } from './move.ts';

const shape = (organization: Organization | undefined) =>
  members(OrganizationSchema, organization!);

export const organizationCommands = (open: OpenClients): Command => {
  const org = new Command('org').description('organizations of partners');
  org
    .command('create')
    .description('create an organization; enabled by default')
    .requiredOption('--name <name>', 'its name, as its partners see it in ping')
    .option('--disabled', 'not enabled yet')
    .option('--admin <email>', 'an administrator, warned of broken endpoints (repeatable)', collect)
    .action(async ({ name, disabled, admin }, command) => {
      const { cell = '' } = command.optsWithGlobals();
      const request = { name, disabled: disabled ?? false, admins: admin ?? [], cell };
      await print(command, shape((await open().access.createOrganization(request)).organization));
    });
  org
    .command('list')
    .description('all organizations')
    .action(async (_, command) => {
      const all = await everyPage(
        (afterId) => open().access.listOrganizations({ afterId }),
        (page) => page.organizations,
      );
      await print(command, all.map(shape));
    });
  org
    .command('show <id>')
    .description('one organization')
    .action(async (id, _, command) => {
      await print(command, shape((await open().access.getOrganization({ id })).organization));
    });
  for (const enabled of [true, false])
    org
      .command(enabled ? 'enable <id>' : 'disable <id>')
      .description(enabled ? 'let its keys work' : 'refuse its keys, within 5 s everywhere')
      .action(async (id, _, command) => {
        const { organization } = await open().access.setOrganizationEnabled({ id, enabled });
        await print(command, shape(organization));
      });
  org
    .command('admins <id>')
    .description('set the administrators; the list replaces the one before')
    .requiredOption('--set <email...>', 'e-mail addresses')
    .action(async (id, { set }, command) => {
      const { organization } = await open().access.setAdministrators({ id, admins: set });
      await print(command, shape(organization));
    });
  moveCommands(org, open);
  return org;
};
