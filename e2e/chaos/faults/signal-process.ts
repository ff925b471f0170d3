/** Sends a signal to a process; none where its id is not known or it has ended. */
export const signalProcess = (pid: number, name: NodeJS.Signals): void => {
  try {
    if (pid) process.kill(pid, name); // 0 would be the group of this process
  } catch {} // it is being started again
};
