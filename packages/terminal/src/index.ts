export { printedLines, tableLines } from './table.ts';
export { ask, askHidden, Interrupted, NotShown, note, progress, writeLines } from './writer.ts';
