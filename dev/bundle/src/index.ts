export { buildPrograms, type Programs } from './build-programs.ts';
export { recentBundle } from './recent-bundle.ts';
