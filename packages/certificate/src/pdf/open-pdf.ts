import PDFDocument from 'pdfkit';
import type { Block, CertificateDocument } from '../document.ts';
import { type Canvas, openCanvas } from './canvas.ts';
import { drawBlock } from './draw-block.ts';
import { drawFooters } from './draw-footers.ts';
import { drawList, drawParagraph, drawTitle } from './draw-text.ts';
import { missingMark, openFonts } from './fonts.ts';
import { declarePdfA, metadataText } from './pdf-a.ts';

interface Pdf {
  /** Draws a block below the ones before. @param next the block after it. */
  readonly draw: (block: Block, next?: Block) => void;
  /** Returns the finished file. */
  readonly end: () => Promise<Uint8Array>;
}

/** Maximum number of texts whose missing characters are listed. */
const missingMax = 40;

/** Opens a PDF that begins with the title of the certificate. */
export const openPdf = (content: CertificateDocument): Pdf => {
  const doc = openDocument(content);
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve).on('error', reject);
  });
  const canvas = openCanvas(doc, openFonts());
  drawTitle(canvas, content.title, content.subtitle);
  return {
    draw: (block, next) => drawBlock(canvas, block, next),
    end: async () => {
      explainMissing(canvas, content);
      canvas.tags.end();
      drawFooters(canvas, content);
      attachProof(doc, content);
      declarePdfA(doc);
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
};

/** Names the characters that no font has, so that a name is not lost. */
const explainMissing = (canvas: Canvas, { missingGlyphs }: CertificateDocument): void => {
  const items = [...canvas.missing].slice(0, missingMax).map(([text, characters]) => {
    const codePoints = characters.map(
      (character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
    );
    const start = [...text].slice(0, missingMax).join('');
    return `${start}: ${codePoints.slice(0, missingMax).join(' ')}`;
  });
  if (items.length === 0) return;
  drawParagraph(canvas, missingGlyphs(missingMark));
  drawList(canvas, items);
};

/** The proof file is the evidence, and the certificate its readable form. */
const attachProof = (doc: PDFKit.PDFDocument, { proofFile, lastAt }: CertificateDocument): void => {
  const date = dateOf(lastAt);
  doc.file(Buffer.from(proofFile.text), {
    name: proofFile.name,
    type: 'application/json',
    description: proofFile.description,
    ...{ creationDate: date, modifiedDate: date, relationship: 'Source' },
  } as PDFKit.Mixins.PDFAttachmentOptions);
};

const dateOf = (at: string): Date => {
  const ms = Date.parse(at);
  return new Date(Number.isNaN(ms) ? 0 : ms);
};

/**
 * Returns a document whose bytes depend on its content alone: its date is that of the last entry,
 * its id follows from its title, head hash and date, and nothing is compressed, because the output of zlib
 * differs between processors.
 */
const openDocument = (content: CertificateDocument): PDFKit.PDFDocument => {
  const { title, subject, footer, language, lastAt } = content;
  return new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    compress: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    // the default font would be read from a file of the library
    font: null as unknown as string,
    info: {
      Title: metadataText(title),
      Subject: metadataText(subject),
      Keywords: metadataText(footer.join(', ')),
      Creator: 'Partner Transport Orders',
      Producer: 'PDFKit',
      CreationDate: dateOf(lastAt),
    },
  });
};
