import type { Block } from '../document.ts';
import { palette, tones } from '../palette.ts';
import { type Canvas, lineHeight, type TextStyle, writeLines } from './canvas.ts';

const body: TextStyle = { size: 9, color: palette.ink };
const quiet: TextStyle = { size: 9, color: palette.quiet };
const labelWidth = 140;

export const drawTitle = (canvas: Canvas, title: string, subtitle: string): void => {
  const style: TextStyle = { size: 17, weight: 'bold', color: palette.ink };
  drawLines(canvas, 'H1', title, style);
  drawLines(canvas, 'P', subtitle, quiet);
  canvas.skip(6);
};

/** Draws a heading, together with the space for the first lines below it: at least `below`. */
export const drawHeading = (canvas: Canvas, text: string, isMain: boolean, below: number): void => {
  const style: TextStyle = { size: isMain ? 12 : 10, weight: 'bold', color: palette.ink };
  const own = isMain ? 34 : 22;
  canvas.need(own + Math.max(isMain ? 46 : 38, Math.min(below, canvas.pageHeight / 2)));
  canvas.skip(isMain ? 12 : 6);
  drawLines(canvas, isMain ? 'H2' : 'H3', text, style);
  if (isMain) {
    canvas.tags.decorate(() => {
      const y = canvas.y() + 1;
      canvas.doc.moveTo(canvas.left, y).lineTo(canvas.left + canvas.width, y);
      canvas.doc.lineWidth(0.6).stroke(palette.line);
    });
    canvas.skip(3);
  }
  canvas.skip(2);
};

export const drawParagraph = (canvas: Canvas, text: string): void => {
  drawLines(canvas, 'P', text, body);
  canvas.skip(2);
};

export const drawList = (canvas: Canvas, items: readonly string[]): void => {
  const { tags } = canvas;
  const indent = 10;
  tags.within('L', () => {
    for (const item of items)
      tags.within('LI', () => {
        const lines = canvas.wrap(item, canvas.width - indent, body);
        canvas.need(lineHeight(body));
        tags.within('Lbl', () => canvas.put('•', canvas.left, canvas.y(), body));
        tags.within('LBody', () => writeLines(canvas, lines, canvas.left + indent, body));
      });
  });
  canvas.skip(2);
};

/** Draws labels and values as a table without lines. */
export const drawFacts = (
  canvas: Canvas,
  facts: Extract<Block, { kind: 'facts' }>['facts'],
): void => {
  const { tags } = canvas;
  const gap = 8;
  tags.within('Table', () => {
    for (const { label, value } of facts)
      tags.within('TR', () => {
        const labels = canvas.wrap(label, labelWidth - gap, quiet);
        const values = canvas.wrap(value, canvas.width - labelWidth, body);
        canvas.need(labels.length * lineHeight(quiet));
        const putLabels = () =>
          labels.forEach((line, n) => {
            canvas.put(line, canvas.left, canvas.y() + n * lineHeight(quiet), quiet);
          });
        tags.within('TH', putLabels, { scope: 'Row' });
        tags.within('TD', () => writeLines(canvas, values, canvas.left + labelWidth, body));
        canvas.skip(Math.max(0, labels.length - values.length) * lineHeight(quiet));
      });
  });
  canvas.skip(2);
};

export const drawNotice = (
  canvas: Canvas,
  { tone, title, lines }: Extract<Block, { kind: 'notice' }>,
): void => {
  const { tags } = canvas;
  const [ink, shade] = tones[tone];
  const [padding, bar] = [7, 3];
  const width = canvas.width - bar - 2 * padding;
  const heading: TextStyle = { size: 10, weight: 'bold', color: ink };
  const text: TextStyle = { size: 9, color: ink };
  const titles = canvas.wrap(title, width, heading);
  const texts = lines.map((line) => canvas.wrap(line, width, text));
  const rows = texts.flat().length;
  const height = titles.length * lineHeight(heading) + rows * lineHeight(text) + 2 * padding - 2;
  canvas.skip(3);
  canvas.need(height);
  tags.decorate(() => {
    canvas.doc.rect(canvas.left, canvas.y(), canvas.width, height).fill(shade);
    canvas.doc.rect(canvas.left, canvas.y(), bar, height).fill(ink);
  });
  canvas.skip(padding - 1);
  const x = canvas.left + bar + padding;
  tags.within('P', () => writeLines(canvas, titles, x, heading));
  for (const one of texts) tags.within('P', () => writeLines(canvas, one, x, text));
  canvas.skip(padding + 3);
};

const drawLines = (canvas: Canvas, type: string, text: string, style: TextStyle): void =>
  canvas.tags.within(type, () =>
    writeLines(canvas, canvas.wrap(text, canvas.width, style), canvas.left, style),
  );
