#!/usr/bin/env node
import { runPto } from './program.ts';

const input = () => process.stdin;
process.exitCode = await runPto(process.argv.slice(2), { environment: process.env, input });
