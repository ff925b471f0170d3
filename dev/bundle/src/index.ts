export { buildImage } from './build-image.ts';
export { buildPrograms, type Programs } from './build-programs.ts';
export { builtOnce, filesOf } from './built-once.ts';
export { images } from './image-programs.ts';
export { npmPackages } from './npm-packages.ts';
