#!/usr/bin/env node
import { launch } from './launch.ts';

process.exit(await launch(process.argv.slice(2), process.env));
