#!/usr/bin/env node
import { runOperator } from './program.ts';

process.exitCode = await runOperator(process.argv.slice(2), process.env);
