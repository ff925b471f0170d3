/** A `package.json`, as far as publishing changes it. */
export interface PackageJson {
  readonly private?: boolean;
  readonly devDependencies?: object;
  readonly scripts?: object;
  readonly bin?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly [member: string]: unknown;
}

/** @returns the `package.json` of the built package: `src/x.ts` is then `dist/x.js`. */
export const published = (own: PackageJson): object => {
  const { private: _, devDependencies, scripts, bin, exports, imports, ...rest } = own;
  return {
    ...rest,
    sideEffects: false,
    engines: { node: '>=20.12' },
    files: ['dist', 'vectors', 'README.md', 'LICENSE'],
    ...(bin !== undefined && { bin: built(bin) }),
    exports: typed(built(exports)),
    ...(imports !== undefined && { imports: built(imports) }),
  };
};

const built = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"\.\/src\/([^"]*)\.ts"/g, '"./dist/$1.js"'));

/** Each export with its types first, as the compiler expects. */
const typed = (exports: unknown): object =>
  Object.fromEntries(
    Object.entries(exports as Record<string, string>).map(([name, file]) => [
      name,
      { types: file.replace(/\.js$/, '.d.ts'), default: file },
    ]),
  );
