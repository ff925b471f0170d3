import type { Block } from '../document.ts';
import type { Canvas } from './canvas.ts';
import { drawChart } from './draw-chart.ts';
import { drawPicture } from './draw-picture.ts';
import { drawQr } from './draw-qr.ts';
import { drawTable, startHeight } from './draw-table.ts';
import { drawFacts, drawHeading, drawList, drawNotice, drawParagraph } from './draw-text.ts';

/** Draws a block of a certificate below the ones before. @param next the block after it. */
export const drawBlock = (canvas: Canvas, block: Block, next?: Block): void => {
  const below = next?.kind === 'table' ? startHeight(canvas, next) : 0;
  switch (block.kind) {
    case 'heading':
      drawHeading(canvas, block.text, true, below);
      break;
    case 'subheading':
      drawHeading(canvas, block.text, false, below);
      break;
    case 'paragraph':
      drawParagraph(canvas, block.text);
      break;
    case 'notice':
      drawNotice(canvas, block);
      break;
    case 'facts':
      drawFacts(canvas, block.facts);
      break;
    case 'list':
      drawList(canvas, block.items);
      break;
    case 'table':
      drawTable(canvas, block);
      break;
    case 'chart':
      drawChart(canvas, block);
      break;
    case 'qr':
      drawQr(canvas, block);
      break;
    case 'picture':
      drawPicture(canvas, block);
      break;
  }
};
