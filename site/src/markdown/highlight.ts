import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const languages = { sh: bash, http, js: javascript, json, php, python, ts: typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Names that readers see. */
const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  http: 'HTTP',
  text: 'Terminal',
};

/** Returns a code block in HTML: classes and no styles, so that the policy need not allow any. */
export const codeBlock = (code: string, language: string): string => {
  const text = code.trimEnd();
  const html = hljs.getLanguage(language)
    ? hljs.highlight(text, { language }).value
    : escapeHtml(text);
  const label = labels[language] ?? 'Text';
  return `<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>\n`;
};

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
