/** A certificate as a list of blocks, which HTML and PDF both render. */
import type { Chart } from './chart/chart.ts';
import type { Language } from './input.ts';

export interface CertificateDocument {
  readonly language: Language;
  readonly title: string;
  /** The order's id, and the partner's id if there is one. */
  readonly subtitle: string;
  /** The order's id alone, for the metadata of a PDF. */
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** Lines at the end of each page; the PDF adds the page number. */
  readonly footer: readonly string[];
  /** Text of the page number in the footer. */
  readonly pageOf: (page: number, pages: number) => string;
  /** Explains the mark for characters that the font of the PDF lacks. */
  readonly missingGlyphs: (mark: string) => string;
  /** Time of the last entry as the file has it; without entries, of the order's creation. */
  readonly lastAt: string;
  /** The proof file, which the PDF has inside. */
  readonly proofFile: {
    readonly name: string;
    readonly description: string;
    readonly text: string;
  };
}

export type Tone = 'proven' | 'unproven' | 'invalid' | 'warning' | 'plain';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface Column {
  readonly heading: string;
  /** Share of the table's width; all shares of a table together are 1. */
  readonly share: number;
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'subheading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | {
      readonly kind: 'notice';
      readonly tone: Tone;
      readonly title: string;
      readonly lines: readonly string[];
    }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly columns: readonly Column[];
      /** Cells by column; each cell is a list of lines. */
      readonly rows: readonly (readonly (readonly string[])[])[];
    }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'chart'; readonly name: string; readonly chart: Chart }
  /** A picture beside its hash. HTML has the hash alone: it would be a megabyte of text. */
  | {
      readonly kind: 'picture';
      readonly name: string;
      readonly lines: readonly string[];
      readonly content: Uint8Array;
      /** A further line where the picture cannot be shown. */
      readonly notShown: string;
    }
  | {
      readonly kind: 'qr';
      readonly url: string;
      readonly name: string;
      readonly lines: readonly string[];
    };
