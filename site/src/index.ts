export { recentSite, type SiteBuild } from './recent-site.ts';
