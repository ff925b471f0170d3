import { readFileSync } from 'node:fs';
import { root } from './root.ts';

/** Returns the changelog's sections as Markdown, without what concerns operators alone. */
export const changelogText = (): string =>
  readFileSync(`${root}CHANGELOG.md`, 'utf8')
    .replace(/^[\s\S]*?(?=^## )/m, '')
    .replace(/### For operators[\s\S]*?(?=\n## |$)/g, '');
