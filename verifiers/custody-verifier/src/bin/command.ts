export { WrongUsage } from './arguments.ts';
export { readKeysFile } from './judge-file.ts';
export { exitCodes, report } from './report.ts';
