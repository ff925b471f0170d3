import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { modulesPath, qrModules } from '../qr-modules.ts';
import type { Canvas, TextStyle } from './canvas.ts';
import { writeLines } from './canvas.ts';

const size = 96;
const gap = 14;
const style: TextStyle = { size: 9, color: palette.ink };

/** Draws a QR code with lines of text to the right of it. */
export const drawQr = (
  canvas: Canvas,
  { url, name, lines }: Extract<Block, { kind: 'qr' }>,
): void => {
  const { doc, tags } = canvas;
  const modules = qrModules(url);
  const scale = size / modules.length;
  canvas.skip(4);
  canvas.need(size);
  const top = canvas.y();
  const draw = () => {
    doc.save().translate(canvas.left, top).scale(scale);
    doc.path(modulesPath(modules)).fill('#000000').restore();
  };
  tags.within('Figure', () => tags.mark(draw), { alt: name });
  const x = canvas.left + size + gap;
  for (const line of lines) {
    const wrapped = canvas.wrap(line, canvas.width - size - gap, style);
    tags.within('P', () => writeLines(canvas, wrapped, x, style));
    canvas.skip(3);
  }
  canvas.skip(Math.max(0, top + size - canvas.y()));
};
