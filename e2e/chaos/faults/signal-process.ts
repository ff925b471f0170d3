/**
 * Sends a signal to a process; none where its id is not known or it has ended.
 * @returns whether it was sent.
 */
export const signalProcess = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return pid !== 0 && process.kill(pid, name); // 0 would be the group of this process
  } catch {
    return false; // it is being started again
  }
};
