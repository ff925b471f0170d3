import { extractText } from 'unpdf';

/** Returns the text of a PDF, of all pages, without its line breaks within words of one line. */
export const pdfText = async (bytes: Uint8Array): Promise<string> => {
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
  return text;
};

/** Returns a text without white space: a PDF breaks long values into lines. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
