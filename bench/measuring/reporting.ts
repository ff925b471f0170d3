import { writeSync } from 'node:fs';
import { watchOthers } from './machine.ts';
import { isForMachines, type Measured, type Result, say } from './result.ts';
import { VoidRun } from './void-run.ts';

/** What a measurement without another side gives: only how fast ours is. */
type Outcome = Measured | Pick<Result, 'ours' | 'theirs' | 'ratio' | 'sampleMs'>;

/**
 * Runs a measurement and reports its result, with the share of the machine that other processes took
 * meanwhile. A void run is reported as such and makes the exit code 1; another error is thrown.
 */
export const reporting = async (what: string, measure: () => Promise<Outcome>): Promise<void> => {
  say(what);
  const others = watchOthers();
  const nothing = { ratio: null, ours: null, theirs: null, sampleMs: null };
  let result: Result;
  try {
    const found = await measure();
    const outcome = 'ours' in found ? found : { ...nothing, ours: found };
    result = { what, ...outcome, othersShare: others.share(), void: null };
  } catch (error) {
    if (!(error instanceof VoidRun)) throw error;
    result = { what, ...nothing, othersShare: others.share(), void: error.message };
    say(`  void: ${error.message}`);
    process.exitCode = 1;
  }
  const { othersShare } = result;
  if (othersShare !== null)
    say(`  other processes took ${Math.round(othersShare * 100)} % of the machine`);
  if (isForMachines) writeSync(1, `${JSON.stringify(result)}\n`);
};
