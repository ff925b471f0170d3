import { reference } from './document.ts';

/** Returns the operations as Markdown: method, path, description and the sample in curl. */
export const operationTexts = (): string =>
  [
    '# API reference',
    ...Object.entries(reference.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const curl = operation['x-codeSamples']?.find(({ lang }) => lang === 'Shell')?.source ?? '';
        return `## ${method.toUpperCase()} ${path}\n\n${operation.summary}. ${operation.description}\n\n\`\`\`sh\n${curl}\n\`\`\``;
      }),
    ),
  ].join('\n\n');
