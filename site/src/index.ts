export { recentSite } from './recent-site.ts';
