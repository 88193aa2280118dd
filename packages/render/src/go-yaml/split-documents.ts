import { YamlError } from './yaml-error.ts';

/** A document of a text, and the line of the text at which it starts. */
export interface DocumentText {
  readonly text: string;
  readonly line: number;
}

const separator = '---';

/**
 * Splits a text as the YAML reader of k8s.io/apimachinery does: at every line that starts with `---`. Each document is then read on its
 * own, so the lines in Go's messages count from its start. Throws for text after a separator other than a comment.
 */
export function* splitDocuments(text: string): Generator<DocumentText> {
  let lines: string[] = [];
  let start = 1;
  for (const [i, line] of text.split(/\r?\n/u).entries()) {
    if (line.startsWith(separator)) {
      const after = line.slice(separator.length).trim();
      if (after !== '' && !after.startsWith('#'))
        throw new YamlError(`invalid Yaml document separator: ${after}`, i + 1);
      if (lines.length > 0) {
        yield { text: textOf(lines), line: start };
        lines = [];
        start = i + 2;
        continue;
      }
      // A separator with nothing before it is the first line of the next document.
    }
    lines.push(line);
  }
  if (lines.every((line) => line === '')) return;
  // Text after the last line break is not a line.
  if (lines.at(-1) === '') lines.pop();
  yield { text: textOf(lines), line: start };
}

/** Every line ends with a line break, also the last one: a block scalar there keeps it. */
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
