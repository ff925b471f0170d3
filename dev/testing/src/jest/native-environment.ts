import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { cpuSeconds, writeCpuTime } from './cpu-times.ts';

const moduleMocker = new ModuleMocker(globalThis);
const { console } = globalThis;
const { exit } = process;
const variables = { ...process.env };
/** Descriptions of the symbols under which jest-circus stores the state of a file. */
const stateOfFile = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'];

/** Jest's environment that is Node itself and no `vm` context; see native-runtime.ts. */
export default class NativeEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = moduleMocker;
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;

  private readonly testPath: string;
  private readonly cpuBefore = cpuSeconds();

  constructor(
    { projectConfig }: { readonly projectConfig: Config.ProjectConfig },
    { testPath }: { readonly testPath: string },
  ) {
    this.testPath = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  /** Takes back what jest and the tests of a file have set in this process. */
  async teardown(): Promise<void> {
    writeCpuTime(this.testPath, cpuSeconds() - this.cpuBefore);
    this.fakeTimersModern.dispose();
    moduleMocker.restoreAllMocks();
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (stateOfFile.includes(symbol.description!)) Reflect.deleteProperty(globalThis, symbol);
  }

  getVmContext(): null {
    return null;
  }
}
