const isBlank = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t');

/**
 * Text after a round trip through the folded style (`>`) of the YAML library of Go. The writer doubles the break after a line that is not
 * indented, which is required before another such line. It also does so before an indented line, where both breaks are kept.
 */
export function refolded(text: string): string {
  // The writer checks the first character of the text instead of the one after the break.
  const doubles = !/^\n*(?:[ \t]|$)/u.test(text);
  const parts = text.split(/(\n+)/u);
  let [line = ''] = parts;
  let result = line;
  for (let i = 1; i < parts.length; i += 2) {
    const [breaks, next = ''] = [parts[i]?.length ?? 0, parts[i + 1]];
    const written = breaks + (line !== '' && !isBlank(line) && doubles ? 1 : 0);
    result += newlines(line, breaks, written, next) + next;
    line = next;
  }
  return result;
}

function newlines(line: string, breaks: number, written: number, next: string): string {
  // At the end, one break stays one, and several are all kept.
  if (next === '') return '\n'.repeat(breaks === 1 ? 1 : written);
  if (line === '' || isBlank(line) || isBlank(next)) return '\n'.repeat(written);
  return written === 1 ? ' ' : '\n'.repeat(written - 1);
}
