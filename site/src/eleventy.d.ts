declare module '@11ty/eleventy' {
  import type MarkdownIt from 'markdown-it';

  /** One rendered page, as `toJSON` returns it. */
  export interface RenderedPage {
    readonly url: string;
    readonly inputPath: string;
    readonly content: string;
  }

  interface UserConfig {
    setLibrary(name: 'md', library: MarkdownIt): void;
    setIncludesDirectory(folder: string): void;
    setLayoutsDirectory(folder: string): void;
    setNunjucksEnvironmentOptions(options: { readonly throwOnUndefined: boolean }): void;
    addGlobalData(name: string, value: unknown): void;
    addFilter(name: string, filter: (...values: never[]) => unknown): void;
    addPreprocessor(
      name: string,
      extensions: string,
      run: (data: { page: { inputPath: string }; source?: string }, content: string) => string,
    ): void;
    addTemplate(path: string, content: string, data: object): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        readonly quietMode: boolean;
        readonly configPath: boolean;
        readonly config: (configuration: UserConfig) => object;
      },
    );
    toJSON(): Promise<readonly RenderedPage[]>;
  }
}
