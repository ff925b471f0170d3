export { buildImage } from './build-image.ts';
export { buildPrograms, type Programs } from './build-programs.ts';
export { images } from './image-programs.ts';
export { npmPackages } from './npm-packages.ts';
export { recentBundle } from './recent-bundle.ts';
