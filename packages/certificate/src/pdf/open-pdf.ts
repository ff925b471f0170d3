import PDFDocument from 'pdfkit';
import type { Block, CertificateDocument } from '../document.ts';
import { drawBlock } from './draw-block.ts';
import { drawFooters } from './draw-footers.ts';
import { drawParagraph, drawTitle } from './draw-text.ts';
import { type Faces, missingMark, openFaces } from './fonts.ts';
import { openSheet } from './sheet.ts';

interface Pdf {
  /** Draws a block below the ones before. */
  readonly draw: (block: Block) => void;
  /** Returns the finished file. */
  readonly end: () => Promise<Uint8Array>;
}

/** Opens a PDF that begins with the title of the certificate. */
export const openPdf = (content: CertificateDocument): Pdf => {
  const faces = openFaces();
  const doc = openDocument(content, faces);
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve).on('error', reject);
  });
  const sheet = openSheet(doc, faces);
  drawTitle(sheet, content.title, content.subtitle);
  return {
    draw: (block) => drawBlock(sheet, block),
    end: async () => {
      if (sheet.hasMissing()) drawParagraph(sheet, content.missingGlyphs(missingMark));
      drawFooters(sheet, content);
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
};

/**
 * Returns a document whose bytes depend on its content alone: its date is that of the last entry,
 * its id follows from its title, head hash and date, and nothing is compressed, because the output of zlib
 * differs between processors.
 */
const openDocument = (content: CertificateDocument, faces: Faces): PDFKit.PDFDocument => {
  const { title, subtitle, footer, language, lastAt } = content;
  const ms = Date.parse(lastAt);
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    compress: false,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    // the default font would be read from a file of the library
    font: null as unknown as string,
    info: {
      Title: title,
      Subject: subtitle,
      Keywords: footer.join(', '),
      Creator: 'Partner Transport Orders',
      Producer: 'PDFKit',
      CreationDate: new Date(Number.isNaN(ms) ? 0 : ms),
    },
  });
  for (const weight of ['regular', 'bold'] as const)
    doc.registerFont(weight, faces[weight].font as unknown as Uint8Array<ArrayBuffer>);
  return doc;
};
