#!/usr/bin/env node
import { runPto } from './program.ts';

/** Ctrl-C, the end of a service or of a container, and the end of the terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

process.exitCode = await runPto(process.argv.slice(2), {
  environment: process.env,
  node: process.execPath,
  input: () => process.stdin,
  onInterrupt: (handle) => {
    const forget = () => {
      for (const signal of signals) process.off(signal, first);
    };
    // a second signal ends the process
    const first = () => {
      forget();
      handle();
    };
    for (const signal of signals) process.on(signal, first);
    return forget;
  },
});
