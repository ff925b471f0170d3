#!/usr/bin/env node
import { runPto } from './program.ts';

process.exitCode = await runPto(process.argv.slice(2), {
  environment: process.env,
  node: process.execPath,
  input: () => process.stdin,
  onInterrupt: (handle) => {
    // a second Ctrl-C ends the process
    process.once('SIGINT', handle);
    return () => process.off('SIGINT', handle);
  },
});
