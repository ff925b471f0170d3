export { type Programs, recentBundle } from './recent-bundle.ts';
