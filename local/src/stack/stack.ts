import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { identityFiles } from '@pto/authority';
import { recentConsole } from '@pto/console-app';
import { recentSite } from '@pto/site';
import { freePorts, isPortFree, makePrivateFolder, reservePort, startStores } from '@pto/stores';
import { type LaunchArguments, UsageError } from '../arguments.ts';
import {
  anchorFileOf,
  artifactsFolder,
  auditorFileOf,
  busDatabase,
  mailFolder,
  openFolder,
  provisionDatabases,
} from '../folder.ts';
import { openOperatorToken, operatorCommand } from '../operators/operator-command.ts';
import { openOrganizations } from '../operators/organizations.ts';
import { planProcesses } from '../processes/plan.ts';
import { startProcesses } from '../processes/processes.ts';
import { openPrograms } from '../processes/programs.ts';
import {
  basePath,
  cellsOf,
  databasesOf,
  inCell,
  serviceNames,
} from '../processes/stack-settings.ts';
import type { Progress } from '../progress.ts';
import { issueLocalIdentities, openAuthority } from '../secrets/authority.ts';
import { keepPersonalToken, openSecrets } from '../secrets/secrets.ts';
import {
  describeServices,
  describeStores,
  removeStackFile,
  type StackFile,
  watchStackFile,
  writeStackFile,
} from './stack-file.ts';

/**
 * Functions that stop the parts of the local stack, in the order in which the parts were started.
 */
export type Closers = (() => Promise<void> | void)[];

/**
 * Starts the local stack: folder, stores, databases, processes and organizations.
 * @param closers receives the functions that stop the started parts. The caller must call them,
 *   also if the start fails.
 * @param end aborting it aborts the start. The local stack aborts it, with the reason, if the stack
 *   cannot continue.
 * @returns the content of `mesh.json`, which is written by then.
 */
export const startStack = async (
  args: LaunchArguments,
  environment: NodeJS.ProcessEnv,
  progress: Progress,
  closers: Closers,
  end: AbortController,
): Promise<StackFile> => {
  const lock = await openFolder(args, progress.say);
  closers.push(lock.release);
  const dir = realpathSync(args.dir);
  const port = await gatewayPort(args.port);
  const receiver = openAuthority(dir);
  const identityFolder = issueLocalIdentities(dir);
  const { cells } = args;
  const ofCells = databasesOf(cells);
  const buses = cells.map((cell) => inCell(busDatabase, cell));
  const secrets = openSecrets(dir, [...ofCells, ...buses], cells.slice(1));
  const mailDir = join(dir, mailFolder);
  makePrivateFolder(mailDir);

  let serving = false;
  progress.say('starting the stores');
  const stores = await startStores({
    dir,
    want: args.given,
    onProgress: progress.say,
    lock,
    signal: end.signal,
    onDeath: (name) => {
      const words = `${name} died: see ${join(dir, 'logs', `${name}.log`)}`;
      if (!serving) end.abort(new Error(words));
      else
        progress.warn(
          `${words}; the local stack continues without it. Restart the local stack to start it again`,
        );
    },
  });
  closers.push(stores.stop);
  for (const line of stores.missing) progress.say(line);

  const names = stores.kafka ? ofCells : [...ofCells, ...buses];
  const serverOf = (name: string) => args.given.databases[name] ?? stores.postgres.url;
  const databases = await provisionDatabases(serverOf, secrets, names);
  const { replicas } = args;
  const processes = serviceNames.flatMap((name) => cellsOf(name, cells).map(() => replicas[name]));
  const ports = await freePorts(
    processes.reduce((sum, count) => sum + count * 3, 3 + cells.length),
  );
  const site = recentSite();
  const consoleApp = recentConsole();
  const plan = planProcesses({
    siteFolder: site.folder,
    consoleFolder: consoleApp.folder,
    cells,
    replicas,
    port,
    nextPort: () => ports.pop() ?? 0,
    databases,
    redisUrl: stores.redis?.url ?? null,
    brokers: stores.kafka?.brokers ?? [],
    secrets,
    receiver,
    identityFolder,
    mailDir,
    anchorFile: (cell) => join(dir, anchorFileOf(cell)),
    artifactsDir: join(dir, artifactsFolder),
    auditorFile: (cell) => join(dir, auditorFileOf(cell)),
    environment,
  });

  const programs = await openPrograms(environment.LOCAL_PROGRAMS);
  await consoleApp.build();
  progress.say('starting the services');
  let publish = () => {};
  const running = await startProcesses({
    dir,
    plan,
    programs,
    progress,
    onRestart: () => publish(),
    onFailure: (error) => end.abort(error),
  });
  closers.push(running.stop);
  await running.untilReady(end.signal);

  const { caFile } = identityFiles(identityFolder, '');
  const signedOut = operatorCommand(plan, programs, caFile, '');
  const { ownerUrl } = databases.access!;
  const stored = secrets.personalToken;
  const token = await openOperatorToken(stored, signedOut, programs, ownerUrl, end.signal);
  if (token !== stored) keepPersonalToken(dir, secrets, token);
  const operator = operatorCommand(plan, programs, caFile, token);
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  progress.say('checking the two organizations');
  const organizations = await openOrganizations(dir, baseUrl, operator, end.signal);
  const file = (): StackFile => ({
    baseUrl,
    environment: plan[0]?.env.ENVIRONMENT ?? '',
    gateways: plan.flatMap(({ name, publicUrl }) => (name === 'gateway' ? [publicUrl!] : [])),
    consoleUrl: plan.find(({ name }) => name === 'console')?.publicUrl ?? '',
    organizations,
    operator,
    stores: describeStores(stores, databases),
    services: describeServices(plan, running.pids()),
    receiver,
    mailDir,
  });
  publish = () => writeStackFile(dir, file());
  end.signal.throwIfAborted();
  const unwatch = watchStackFile(dir);
  closers.push(async () => {
    publish = () => {};
    removeStackFile(dir);
    await unwatch();
  });
  publish();
  serving = true;
  // builds the documentation site, if its sources have changed; the services serve meanwhile
  const building = new AbortController();
  const built = site.build(building.signal).catch((error: Error) => {
    if (!building.signal.aborted) progress.warn(error.message);
  });
  closers.push(() => {
    building.abort();
    return built;
  });
  return file();
};

/** Returns a free port for 0, else reserves the wanted one. */
const gatewayPort = async (wanted: number): Promise<number> => {
  if (wanted === 0) return (await freePorts(1))[0] ?? 0;
  if (await isPortFree(wanted)) {
    // no process listens on the port yet, so `freePorts` could return it for another process
    await reservePort(wanted);
    return wanted;
  }
  throw new UsageError(
    `port ${wanted} is taken: stop the process that uses it, or choose another by --port (0 takes a free one)`,
  );
};
