/** How a published npm package is found: by `import`, by `require`, and by older compilers. */

/** Folder of the modules that are CommonJS. */
export const commonJs = 'dist/cjs';

/** The members of a `package.json` that the build reads. */
export interface Manifest {
  /** The file of each entry point, `./dist/x.js`. */
  readonly exports: Readonly<Record<string, string>>;
  readonly imports?: object;
  readonly [member: string]: unknown;
}

/**
 * Returns `exports`, with the types of each kind of modules first, as the compiler expects; `main` and
 * `types` for tools that do not read them, and `typesVersions` for the entry points of such a compiler
 * (`moduleResolution` node10).
 */
export const entriesOf = (exports: Manifest['exports']): object => {
  const entries = Object.entries(exports);
  const others = entries.filter(([name]) => name !== '.');
  const root = exports['.']!;
  return {
    main: asCommonJs(root),
    types: typesOf(asCommonJs(root)),
    exports: Object.fromEntries(
      entries.map(([name, file]) => [
        name,
        { import: typed(file), require: typed(asCommonJs(file)), default: file },
      ]),
    ),
    ...(others.length > 0 && {
      typesVersions: {
        '*': Object.fromEntries(
          others.map(([name, file]) => [name.slice(2), [typesOf(asCommonJs(file))]]),
        ),
      },
    }),
  };
};

/** Returns the `package.json` of the folder `dist/cjs`: what is below it is CommonJS. */
export const scopeOf = ({ imports }: Manifest): string =>
  JSON.stringify({ type: 'commonjs', imports }).replaceAll('./dist/', './');

const typed = (file: string) => ({ types: typesOf(file), default: file });
const typesOf = (file: string): string => file.replace(/\.js$/, '.d.ts');
const asCommonJs = (file: string): string => file.replace('./dist/', `./${commonJs}/`);
